/** One sandbox execution: its row, its lease, its one-time tokens, its log. */
@NullMarked
package dev.satchel.server.run;

import org.jspecify.annotations.NullMarked;
