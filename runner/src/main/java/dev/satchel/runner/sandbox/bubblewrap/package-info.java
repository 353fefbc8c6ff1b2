/** Sandboxes that isolate commands with bubblewrap. */
@NullMarked
package dev.satchel.runner.sandbox.bubblewrap;

import org.jspecify.annotations.NullMarked;
