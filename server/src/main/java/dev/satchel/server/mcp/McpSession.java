package dev.satchel.server.mcp;

import dev.satchel.server.access.Caller;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.access.UserId;
import dev.satchel.server.conversation.ConversationId;

/**
 * The conversation of a token.
 *
 * @param mayAnswer whether the token may answer what the conversation asks people
 */
record McpSession(TenantId tenant, UserId user, ConversationId conversation, boolean mayAnswer) {

    /** Whoever has the token acts for the person of the conversation. */
    Caller caller() {
        return Caller.onBehalfOf(tenant, user);
    }
}
