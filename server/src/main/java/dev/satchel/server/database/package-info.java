/** Connections, transactions and migrations for SQLite and PostgreSQL. */
@NullMarked
package dev.satchel.server.database;

import org.jspecify.annotations.NullMarked;
