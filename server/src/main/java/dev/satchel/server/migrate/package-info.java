/** Moves everything from SQLite and the disk to PostgreSQL and S3, and proves that it is there. */
@NullMarked
package dev.satchel.server.migrate;

import org.jspecify.annotations.NullMarked;
