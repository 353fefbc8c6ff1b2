/** Runs commands that can touch nothing but their own workspace. */
@NullMarked
package dev.satchel.runner.sandbox;

import org.jspecify.annotations.NullMarked;
