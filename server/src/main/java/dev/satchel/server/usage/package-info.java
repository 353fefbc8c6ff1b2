/** The tokens and the cost of the calls of models. */
@NullMarked
package dev.satchel.server.usage;

import org.jspecify.annotations.NullMarked;
