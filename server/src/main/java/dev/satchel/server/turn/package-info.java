/** One user message and its answer. */
@NullMarked
package dev.satchel.server.turn;

import org.jspecify.annotations.NullMarked;
