/** The Files API: listing, reading, writing and watching the files of a workspace. */
@NullMarked
package dev.satchel.server.workspace.files;

import org.jspecify.annotations.NullMarked;
