/** Fuzz tests of this package. */
@NullMarked
package dev.satchel.server.workspace;

import org.jspecify.annotations.NullMarked;
