/** The log of a run in the words of other people's clients: AI SDK UI messages and AG-UI. */
@NullMarked
package dev.satchel.server.dialect;

import org.jspecify.annotations.NullMarked;
