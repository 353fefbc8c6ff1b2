/** Workspaces as they were: taken at the end of turns, each whole, each costing what changed. */
@NullMarked
package dev.satchel.server.snapshot;

import org.jspecify.annotations.NullMarked;
