/** The tools of the agents. */
@NullMarked
package dev.satchel.bench.tool;

import org.jspecify.annotations.NullMarked;
