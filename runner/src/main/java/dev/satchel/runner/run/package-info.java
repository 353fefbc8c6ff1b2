/** Executes one run, from the dispatch to its last line. */
@NullMarked
package dev.satchel.runner.run;

import org.jspecify.annotations.NullMarked;
