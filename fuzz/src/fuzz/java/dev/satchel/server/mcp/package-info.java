/** Fuzz tests of this package. */
@NullMarked
package dev.satchel.server.mcp;

import org.jspecify.annotations.NullMarked;
