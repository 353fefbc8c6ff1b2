/** Fuzz tests of this package. */
@NullMarked
package dev.satchel.server.bag;

import org.jspecify.annotations.NullMarked;
