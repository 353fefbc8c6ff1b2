/** Sandboxes without isolation, for operators who ask for them. */
@NullMarked
package dev.satchel.runner.sandbox.unsafe;

import org.jspecify.annotations.NullMarked;
