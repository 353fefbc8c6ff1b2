package dev.satchel.server.mcp;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.conversation.ConversationId;

/** The conversation that a bearer is bound to; nothing else in a request says which it is. */
record McpSession(TenantId tenant, ConversationId conversation) {}
