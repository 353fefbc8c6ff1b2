/** Messages that wait until the turn before them has ended. */
@NullMarked
package dev.satchel.server.queue;

import org.jspecify.annotations.NullMarked;
