/** Copies rows from SQLite to PostgreSQL and objects from disk to S3, and verifies them. */
@NullMarked
package dev.satchel.server.migrate;

import org.jspecify.annotations.NullMarked;
