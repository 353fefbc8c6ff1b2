/** SQLite or PostgreSQL behind one SQL text: connections, transactions, migrations. */
@NullMarked
package dev.satchel.server.database;

import org.jspecify.annotations.NullMarked;
