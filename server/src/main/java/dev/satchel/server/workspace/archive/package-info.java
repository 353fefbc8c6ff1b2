/** Whole workspaces as archives: tar.gz and zip. */
@NullMarked
package dev.satchel.server.workspace.archive;

import org.jspecify.annotations.NullMarked;
