/** The bytes of one connection: bodies as blocking streams, disconnects and timeouts. */
@NullMarked
package dev.satchel.http.connection;

import org.jspecify.annotations.NullMarked;
