package dev.satchel.server.branch;

import dev.satchel.http.Exchange;
import dev.satchel.http.Fields;
import dev.satchel.http.Router;
import dev.satchel.http.paging.PageRequest;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import dev.satchel.server.conversation.ChatErrors;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.conversation.NewHead;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** {@code /api/assistant/chats/{id}/branches} and {@code …/head}. */
public final class BranchRoutes {
    private final BranchService branches;
    private final Authentication access;

    public BranchRoutes(BranchService branches, Authentication access) {
        this.branches = branches;
        this.access = access;
    }

    public void addTo(Router router) {
        router.get(
                "/api/assistant/chats/{id}/branches",
                access.requireCaller(Permission.READ_CHATS, this::list));
        router.post(
                "/api/assistant/chats/{id}/head",
                access.requireCaller(Permission.WRITE_CHATS, this::switchHead));
    }

    /** The body of {@code POST …/head}. */
    record HeadRequest(String messageId, @Nullable Boolean exact) {
        HeadRequest {
            Fields.required("messageId", messageId);
        }

        NewHead head() {
            if (!MessageId.isValid(messageId)) {
                throw ChatErrors.noSuchMessage();
            }
            return new NewHead(new MessageId(messageId), Boolean.TRUE.equals(exact));
        }
    }

    private void list(Exchange exchange, Caller caller) {
        long after = exchange.query("cursor").map(BranchRoutes::number).orElse(0L);
        int limit = PageRequest.limit(exchange);
        exchange.json(
                200, BranchView.Page.of(branches.list(caller, chatId(exchange), after, limit)));
    }

    private void switchHead(Exchange exchange, Caller caller)
            throws IOException, InterruptedException {
        HeadRequest wanted = exchange.readJson(HeadRequest.class);
        exchange.json(
                200,
                BranchView.Head.of(branches.switchTo(caller, chatId(exchange), wanted.head())));
    }

    /** An id that is not well-formed is answered like an unknown one. */
    private static ConversationId chatId(Exchange exchange) {
        String id = exchange.pathParameter("id");
        if (!ConversationId.isValid(id)) {
            throw ChatErrors.noSuchChat();
        }
        return new ConversationId(id);
    }

    private static long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw Fields.invalid("cursor", "must be a nextCursor of this list");
        }
    }
}
