/** Fuzz tests of this package. */
@NullMarked
package dev.satchel.http;

import org.jspecify.annotations.NullMarked;
