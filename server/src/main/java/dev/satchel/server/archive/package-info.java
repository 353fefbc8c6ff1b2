/** Readers of archives that clients send. */
@NullMarked
package dev.satchel.server.archive;

import org.jspecify.annotations.NullMarked;
