/** The tool {@code grep}: by ripgrep where commands can run, else line by line with RE2/J. */
@NullMarked
package dev.satchel.tools.grep;

import org.jspecify.annotations.NullMarked;
