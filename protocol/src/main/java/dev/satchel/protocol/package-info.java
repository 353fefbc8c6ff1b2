/** The protocol between server and runner: dispatch, callbacks, and the NDJSON lines of a run. */
@NullMarked
package dev.satchel.protocol;

import org.jspecify.annotations.NullMarked;
