/** More than one server on one PostgreSQL and one bucket. */
@NullMarked
package dev.satchel.server.node;

import org.jspecify.annotations.NullMarked;
