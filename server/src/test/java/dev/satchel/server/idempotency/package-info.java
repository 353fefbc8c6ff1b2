@NullMarked
package dev.satchel.server.idempotency;

import org.jspecify.annotations.NullMarked;
