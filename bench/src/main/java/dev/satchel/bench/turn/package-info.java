/** What a turn costs beside the work it does. */
@NullMarked
package dev.satchel.bench.turn;

import org.jspecify.annotations.NullMarked;
