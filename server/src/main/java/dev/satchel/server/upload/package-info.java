/** Files that arrive before their conversation, and the agent-server's way to talk about them. */
@NullMarked
package dev.satchel.server.upload;

import org.jspecify.annotations.NullMarked;
