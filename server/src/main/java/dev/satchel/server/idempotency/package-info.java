/** Executes a request with an Idempotency-Key once and repeats its response. */
@NullMarked
package dev.satchel.server.idempotency;

import org.jspecify.annotations.NullMarked;
