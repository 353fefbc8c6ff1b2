/** Everything of a person as one archive. */
@NullMarked
package dev.satchel.server.export;

import org.jspecify.annotations.NullMarked;
