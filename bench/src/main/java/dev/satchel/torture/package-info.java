/**
 * {@code ./satchel torture}: the real system in processes of its own, broken on purpose again and
 * again. Afterwards everything it had acknowledged must be there and nothing else left behind.
 */
@NullMarked
package dev.satchel.torture;

import org.jspecify.annotations.NullMarked;
