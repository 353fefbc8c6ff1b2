/** What it costs to append to a thread, by its length. */
@NullMarked
package dev.satchel.bench.append;

import org.jspecify.annotations.NullMarked;
