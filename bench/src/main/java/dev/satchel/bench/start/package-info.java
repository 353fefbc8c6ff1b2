/** What a server costs before it does anything. */
@NullMarked
package dev.satchel.bench.start;

import org.jspecify.annotations.NullMarked;
