/** How results and progress are printed. */
@NullMarked
package dev.satchel.cli.output;

import org.jspecify.annotations.NullMarked;
