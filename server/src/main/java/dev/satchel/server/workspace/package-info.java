/** The directories that agents work in, as people see them: live, or as a snapshot kept them. */
@NullMarked
package dev.satchel.server.workspace;

import org.jspecify.annotations.NullMarked;
