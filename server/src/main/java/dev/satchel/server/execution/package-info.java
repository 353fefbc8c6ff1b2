/** Runs a run: dispatch, lines into the log, callbacks, settlement. */
@NullMarked
package dev.satchel.server.execution;

import org.jspecify.annotations.NullMarked;
