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
import dev.satchel.server.conversation.ConversationReadStore.Filter;
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
        router.patch(one, access.requireCaller(Permission.WRITE_CHATS, this::change));
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

    record ChangedChat(
            @Nullable String title, @Nullable Boolean pinned, @Nullable Boolean archived) {
        ChangedChat {
            if (title != null) {
                Fields.text("title", title, MAX_TITLE);
            }
            if (title == null && pinned == null && archived == null) {
                throw Fields.invalid("title", "is required, or pinned or archived");
            }
        }

        ChatService.Change change() {
            return new ChatService.Change(title, pinned, archived);
        }
    }

    private void list(Exchange exchange, Caller caller) {
        PageRequest page = PageRequest.of(exchange);
        Filter filter =
                new Filter(
                        flag(exchange, "archived").orElse(false),
                        flag(exchange, "pinned").orElse(null));
        exchange.json(200, ChatView.Page.of(chats.page(caller, filter, page), page.limit()));
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
        boolean exact = flag(exchange, "exact").orElse(false);
        return exchange.query("head").map(id -> new NewHead(messageId(id), exact));
    }

    private static Optional<Boolean> flag(Exchange exchange, String name) {
        return exchange.query(name)
                .map(
                        value ->
                                switch (value) {
                                    case "true" -> true;
                                    case "false" -> false;
                                    default -> throw Fields.invalid(name, "must be true or false");
                                });
    }

    private static MessageId messageId(String id) {
        if (!MessageId.isValid(id)) {
            throw ChatErrors.noSuchMessage();
        }
        return new MessageId(id);
    }

    private void change(Exchange exchange, Caller caller) throws IOException {
        ChangedChat wanted = exchange.readJson(ChangedChat.class);
        exchange.json(
                200, ChatView.of(chats.change(caller, chatId(exchange), wanted.change()), null));
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
