package dev.satchel.server.sandbox;

import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.RunId;
import org.jspecify.annotations.Nullable;

/** The run of a sandbox; a headless run has no conversation. */
public record SandboxRequest(RunId run, @Nullable ConversationId conversation) {}
