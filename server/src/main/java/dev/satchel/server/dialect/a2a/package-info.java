/** A2A 1.0: other agents give the agents here tasks. */
@NullMarked
package dev.satchel.server.dialect.a2a;

import org.jspecify.annotations.NullMarked;
