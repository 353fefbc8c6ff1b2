/** The life of one run: from a dispatch to its last line, with nothing left behind. */
@NullMarked
package dev.satchel.runner.run;

import org.jspecify.annotations.NullMarked;
