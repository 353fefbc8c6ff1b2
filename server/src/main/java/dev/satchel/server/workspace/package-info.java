/** The directories that agents work in, live or as of a snapshot. */
@NullMarked
package dev.satchel.server.workspace;

import org.jspecify.annotations.NullMarked;
