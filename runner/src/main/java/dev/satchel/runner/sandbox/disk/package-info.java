/** The disk quota of a run. */
@NullMarked
package dev.satchel.runner.sandbox.disk;

import org.jspecify.annotations.NullMarked;
