/** Images for models: their limits, and scaling inside the sandbox. */
@NullMarked
package dev.satchel.runner.image;

import org.jspecify.annotations.NullMarked;
