/** The metrics of runs, snapshots, objects and of what waits, for {@code /metrics}. */
@NullMarked
package dev.satchel.server.metric;

import org.jspecify.annotations.NullMarked;
