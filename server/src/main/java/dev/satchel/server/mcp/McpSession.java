package dev.satchel.server.mcp;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.conversation.ConversationId;

/** The conversation of a token. */
record McpSession(TenantId tenant, ConversationId conversation) {}
