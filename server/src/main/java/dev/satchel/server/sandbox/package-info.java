/** Provides the sandboxes of runs. */
@NullMarked
package dev.satchel.server.sandbox;

import org.jspecify.annotations.NullMarked;
