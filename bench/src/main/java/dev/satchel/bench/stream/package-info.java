/** A thousand streams: from the line a runner writes to the event a reader gets. */
@NullMarked
package dev.satchel.bench.stream;

import org.jspecify.annotations.NullMarked;
