/** Periodic tasks, and a clock to measure durations. */
@NullMarked
package dev.satchel.server.schedule;

import org.jspecify.annotations.NullMarked;
