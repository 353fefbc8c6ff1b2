/** Who did what to which file, and how it ended. */
@NullMarked
package dev.satchel.server.audit;

import org.jspecify.annotations.NullMarked;
