/** A write that is sent again with its Idempotency-Key: done once, answered as often as asked. */
@NullMarked
package dev.satchel.server.idempotency;

import org.jspecify.annotations.NullMarked;
