/** Threads and their messages, as rows with a gap-free number. */
@NullMarked
package dev.satchel.server.conversation;

import org.jspecify.annotations.NullMarked;
