/** Backups of a running system: the rows of one moment and their objects, and the way back. */
@NullMarked
package dev.satchel.server.backup;

import org.jspecify.annotations.NullMarked;
