/**
 * Starts runs: of a user's message, of one command, and of a saved agent without a conversation.
 */
@NullMarked
package dev.satchel.server.turn;

import org.jspecify.annotations.NullMarked;
