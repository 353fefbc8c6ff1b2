/** Runs commands that have access to nothing but their workspace. */
@NullMarked
package dev.satchel.runner.sandbox;

import org.jspecify.annotations.NullMarked;
