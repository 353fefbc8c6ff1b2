/** Fuzz tests of this package. */
@NullMarked
package dev.satchel.server.execution;

import org.jspecify.annotations.NullMarked;
