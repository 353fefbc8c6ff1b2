/** Whole programs to copy from; a test runs each. */
@NullMarked
package dev.satchel.client.examples;

import org.jspecify.annotations.NullMarked;
