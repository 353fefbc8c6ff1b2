/** Tools that read files, for agents in a sandbox and for clients of the server alike. */
@NullMarked
package dev.satchel.tools;

import org.jspecify.annotations.NullMarked;
