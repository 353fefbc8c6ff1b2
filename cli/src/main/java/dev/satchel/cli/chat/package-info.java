/** The interactive chat of the terminal. */
@NullMarked
package dev.satchel.cli.chat;

import org.jspecify.annotations.NullMarked;
