/** Fuzz tests of this package. */
@NullMarked
package dev.satchel.runner.workspace;

import org.jspecify.annotations.NullMarked;
