package dev.satchel.server.sandbox;

import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.RunId;
import org.jspecify.annotations.Nullable;

/** The run a sandbox is for; a headless run has no conversation whose workspace it would need. */
public record SandboxRequest(RunId run, @Nullable ConversationId conversation) {}
