/**
 * {@code ./satchel torture}: injects faults into the real system, which runs in its own processes.
 * Afterwards everything it has acknowledged must exist, and nothing may be left behind.
 */
@NullMarked
package dev.satchel.torture;

import org.jspecify.annotations.NullMarked;
