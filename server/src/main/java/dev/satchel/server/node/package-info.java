/** The servers that share a database, and their addresses. */
@NullMarked
package dev.satchel.server.node;

import org.jspecify.annotations.NullMarked;
