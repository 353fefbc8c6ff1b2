package dev.satchel.server.turn;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.Fields;
import dev.satchel.http.Router;
import dev.satchel.http.SatchelException;
import dev.satchel.http.paging.PageRequest;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import dev.satchel.server.conversation.ChatErrors;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.conversation.NewHead;
import dev.satchel.server.usage.UsageReader;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code /api/assistant/chats}: the list and each chat's thread. */
public final class ChatRoutes {
    private static final int MAX_TITLE = 200;

    private final ChatService chats;
    private final UsageReader usage;
    private final Authentication access;

    public ChatRoutes(ChatService chats, UsageReader usage, Authentication access) {
        this.chats = chats;
        this.usage = usage;
        this.access = access;
    }

    public void addTo(Router router) {
        String one = "/api/assistant/chats/{id}";
        router.get("/api/assistant/chats", access.requireCaller(Permission.READ_CHATS, this::list));
        router.post(
                "/api/assistant/chats", access.requireCaller(Permission.WRITE_CHATS, this::create));
        router.get(one, access.requireCaller(Permission.READ_CHATS, this::read));
        router.patch(one, access.requireCaller(Permission.WRITE_CHATS, this::rename));
        router.delete(one, access.requireCaller(Permission.WRITE_CHATS, this::delete));
        router.post(one + "/restore", access.requireCaller(Permission.WRITE_CHATS, this::restore));
        router.post(one + "/cancel", access.requireCaller(Permission.WRITE_CHATS, this::cancel));
    }

    /** An id that is not well-formed is answered like an unknown one. */
    public static ConversationId chatId(Exchange exchange) {
        String id = exchange.pathParameter("id");
        if (!ConversationId.isValid(id)) {
            throw ChatErrors.noSuchChat();
        }
        return new ConversationId(id);
    }

    record NewChat(@Nullable String title, @Nullable String workflowId) {
        NewChat {
            if (title != null) {
                Fields.text("title", title, MAX_TITLE);
            }
            if (workflowId != null) {
                Fields.text("workflowId", workflowId, 128);
            }
        }
    }

    record NewTitle(String title) {
        NewTitle {
            Fields.text("title", title, MAX_TITLE);
        }
    }

    private void list(Exchange exchange, Caller caller) {
        PageRequest page = PageRequest.of(exchange);
        exchange.json(200, ChatView.Page.of(chats.page(caller, page), page.limit()));
    }

    private void create(Exchange exchange, Caller caller) throws IOException {
        NewChat chat = exchange.readJson(NewChat.class);
        exchange.json(
                201, ChatView.of(chats.create(caller, chat.title(), chat.workflowId()), null));
    }

    private void read(Exchange exchange, Caller caller) {
        Optional<Long> before = exchange.query("cursor").map(ChatRoutes::number);
        int limit = PageRequest.limit(exchange);
        Optional<NewHead> head = before.isEmpty() ? head(exchange) : Optional.empty();
        ChatService.ThreadPage page =
                head.isPresent()
                        ? chats.readPath(caller, chatId(exchange), head.get(), limit)
                        : chats.read(caller, chatId(exchange), before, limit);
        exchange.json(200, ChatView.WithMessages.of(page, usage.ofChat(page.conversation().id())));
    }

    /** A cursor has its own path, so that pages fit together whatever becomes the head. */
    private static Optional<NewHead> head(Exchange exchange) {
        boolean exact =
                switch (exchange.query("exact").orElse("false")) {
                    case "true" -> true;
                    case "false" -> false;
                    default -> throw Fields.invalid("exact", "must be true or false");
                };
        return exchange.query("head").map(id -> new NewHead(messageId(id), exact));
    }

    private static MessageId messageId(String id) {
        if (!MessageId.isValid(id)) {
            throw ChatErrors.noSuchMessage();
        }
        return new MessageId(id);
    }

    private void rename(Exchange exchange, Caller caller) throws IOException {
        NewTitle wanted = exchange.readJson(NewTitle.class);
        exchange.json(
                200, ChatView.of(chats.rename(caller, chatId(exchange), wanted.title()), null));
    }

    private void delete(Exchange exchange, Caller caller) throws InterruptedException {
        chats.delete(caller, chatId(exchange));
        exchange.send(204);
    }

    private void restore(Exchange exchange, Caller caller) {
        exchange.json(200, ChatView.of(chats.restore(caller, chatId(exchange)), null));
    }

    private void cancel(Exchange exchange, Caller caller) throws InterruptedException {
        exchange.json(202, Map.of("cancelled", chats.cancel(caller, chatId(exchange))));
    }

    private static long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new SatchelException(
                    ErrorCode.INVALID_REQUEST, "expected a number, not " + abridge(text));
        }
    }

    private static String abridge(String text) {
        return text.length() <= 20 ? text : text.substring(0, 20) + "…";
    }
}
