/** Satchel in the terminal: commands on the Java client, for people and for scripts. */
@NullMarked
package dev.satchel.cli;

import org.jspecify.annotations.NullMarked;
