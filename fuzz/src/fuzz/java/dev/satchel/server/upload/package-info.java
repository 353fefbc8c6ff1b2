/** Fuzz tests of this package. */
@NullMarked
package dev.satchel.server.upload;

import org.jspecify.annotations.NullMarked;
