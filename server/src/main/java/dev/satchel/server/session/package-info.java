/** Conversations as the clients of agent servers see them: sessions with a life of their own. */
@NullMarked
package dev.satchel.server.session;

import org.jspecify.annotations.NullMarked;
