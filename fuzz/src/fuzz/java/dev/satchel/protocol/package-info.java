/** Fuzz tests of this package. */
@NullMarked
package dev.satchel.protocol;

import org.jspecify.annotations.NullMarked;
