/** Workspaces to list, to read and to keep. */
@NullMarked
package dev.satchel.bench.workspace;

import org.jspecify.annotations.NullMarked;
