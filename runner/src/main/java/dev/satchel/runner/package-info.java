/** The program that answers {@code POST /stream}. */
@NullMarked
package dev.satchel.runner;

import org.jspecify.annotations.NullMarked;
