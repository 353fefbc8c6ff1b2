/** Documents for the tools: how they are read, shown and searched. */
@NullMarked
package dev.satchel.tools.document;

import org.jspecify.annotations.NullMarked;
