package dev.satchel.server.mcp;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.Fields;
import dev.satchel.http.Router;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.turn.ChatService;

/** {@code /api/assistant/chats/{id}/mcp-token}: the token for the tools of a conversation. */
public final class McpTokenRoutes {
    private final McpTokens tokens;
    private final ChatService chats;
    private final Authentication access;

    public McpTokenRoutes(McpTokens tokens, ChatService chats, Authentication access) {
        this.tokens = tokens;
        this.chats = chats;
        this.access = access;
    }

    public void addTo(Router router) {
        String token = "/api/assistant/chats/{id}/mcp-token";
        router.post(token, access.requireCaller(Permission.WRITE_CHATS, this::issue));
        router.delete(token, access.requireCaller(Permission.WRITE_CHATS, this::revoke));
    }

    /** The only response that contains the token. */
    record NewToken(String token, long expiresAt) {}

    private void issue(Exchange exchange, Caller caller) {
        McpSession session =
                new McpSession(
                        caller.tenant(),
                        caller.user(),
                        conversation(exchange, caller),
                        mayAnswer(exchange),
                        caller.credential());
        McpTokens.Issued issued = tokens.issue(session);
        exchange.json(201, new NewToken(issued.token().value(), issued.expiresAt()));
    }

    /** A token that only reads files is given to other agents, so answering must be asked for. */
    private static boolean mayAnswer(Exchange exchange) {
        return switch (exchange.query("answers").orElse("false")) {
            case "true" -> true;
            case "false" -> false;
            default -> throw Fields.invalid("answers", "must be true or false");
        };
    }

    private void revoke(Exchange exchange, Caller caller) {
        if (!tokens.revoke(caller, conversation(exchange, caller))) {
            throw new SatchelException(ErrorCode.NOT_FOUND, "this chat has no token");
        }
        exchange.send(204);
    }

    private ConversationId conversation(Exchange exchange, Caller caller) {
        String id = exchange.pathParameter("id");
        if (!ConversationId.isValid(id)) {
            throw new SatchelException(ErrorCode.NOT_FOUND, "no such chat");
        }
        return chats.get(caller, new ConversationId(id)).id();
    }
}
