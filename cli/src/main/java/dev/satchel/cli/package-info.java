/** The commands of the terminal, on top of the Java client. */
@NullMarked
package dev.satchel.cli;

import org.jspecify.annotations.NullMarked;
