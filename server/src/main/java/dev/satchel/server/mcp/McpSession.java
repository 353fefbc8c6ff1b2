package dev.satchel.server.mcp;

import dev.satchel.server.access.Caller;
import dev.satchel.server.access.CallerCredential;
import dev.satchel.server.access.Scope;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.access.UserId;
import dev.satchel.server.access.UserRole;
import dev.satchel.server.conversation.ConversationId;

/**
 * The conversation of a token.
 *
 * @param mayAnswer whether the token may answer what the conversation asks people
 * @param openedBy the key or browser session that made the token, which ends with it
 */
record McpSession(
        TenantId tenant,
        UserId user,
        ConversationId conversation,
        boolean mayAnswer,
        CallerCredential openedBy) {

    /** The holder of the token acts for the person of the conversation, who is a member. */
    Caller caller() {
        return new Caller(tenant, user, UserRole.MEMBER, Scope.ALL, openedBy);
    }
}
