/** Directories of workspaces, one for each conversation, and a workspace as one stream of bytes. */
@NullMarked
package dev.satchel.filesystem.workspace;

import org.jspecify.annotations.NullMarked;
