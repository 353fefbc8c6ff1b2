/** What more than one server brings, and what the database between them costs. */
@NullMarked
package dev.satchel.bench.node;

import org.jspecify.annotations.NullMarked;
