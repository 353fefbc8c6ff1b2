/** Creates every object of the server once, and starts and stops the server. */
@NullMarked
package dev.satchel.server.application;

import org.jspecify.annotations.NullMarked;
