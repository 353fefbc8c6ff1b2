/** Chats that their people show to others, as they stood at one moment. */
@NullMarked
package dev.satchel.server.share;

import org.jspecify.annotations.NullMarked;
