/** Fuzz tests of this package. */
@NullMarked
package dev.satchel.tools;

import org.jspecify.annotations.NullMarked;
