package dev.satchel.server.mcp;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.conversation.ConversationId;

/**
 * The conversation of a token.
 *
 * @param mayAnswer whether the token may answer what the conversation asks people
 */
record McpSession(TenantId tenant, ConversationId conversation, boolean mayAnswer) {}
