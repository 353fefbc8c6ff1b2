package dev.satchel.server.turn;

import dev.satchel.http.Exchange;
import dev.satchel.http.Fields;
import dev.satchel.http.Router;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.MessageId;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** {@code /api/assistant/chats/{id}/queue}: the messages that wait for their turn. */
public final class QueueRoutes {
    private final MessageQueue queue;
    private final QueuedTurns turns;
    private final Authentication access;

    public QueueRoutes(MessageQueue queue, QueuedTurns turns, Authentication access) {
        this.queue = queue;
        this.turns = turns;
        this.access = access;
    }

    public void addTo(Router router) {
        String all = "/api/assistant/chats/{id}/queue";
        router.get(all, access.requireCaller(Permission.READ_CHATS, this::list));
        router.post(all + "/resume", access.requireCaller(Permission.WRITE_CHATS, this::resume));
        router.patch(
                all + "/{messageId}", access.requireCaller(Permission.WRITE_CHATS, this::edit));
        router.delete(
                all + "/{messageId}", access.requireCaller(Permission.WRITE_CHATS, this::remove));
    }

    record Edit(@Nullable String message, @Nullable String whenBusy) {
        Edit {
            if (whenBusy == null) {
                Fields.required("message", message);
            } else if (WhenBusy.parse(whenBusy) == WhenBusy.REJECT) {
                throw Fields.invalid("whenBusy", "must be queue or steer");
            }
        }
    }

    private void list(Exchange exchange, Caller caller) {
        send(exchange, 200, caller, ChatRoutes.chatId(exchange));
    }

    private void edit(Exchange exchange, Caller caller) throws IOException {
        Edit edit = exchange.readJson(Edit.class);
        ConversationId chat = ChatRoutes.chatId(exchange);
        MessageId message = messageId(exchange);
        if (edit.message() != null) {
            queue.edit(caller, chat, message, edit.message());
        }
        if (edit.whenBusy() != null) {
            boolean isSteering = WhenBusy.parse(edit.whenBusy()) == WhenBusy.STEER;
            queue.steer(caller, chat, message, isSteering);
        }
        send(exchange, 200, caller, chat);
    }

    private void remove(Exchange exchange, Caller caller) {
        queue.remove(caller, ChatRoutes.chatId(exchange), messageId(exchange));
        exchange.send(204);
    }

    private void resume(Exchange exchange, Caller caller) {
        ConversationId chat = ChatRoutes.chatId(exchange);
        queue.resume(caller, chat);
        turns.startSoon(chat);
        send(exchange, 202, caller, chat);
    }

    private void send(Exchange exchange, int status, Caller caller, ConversationId chat) {
        exchange.json(status, QueueView.of(queue.list(caller, chat)));
    }

    /** An id that is not well-formed is answered like an unknown one. */
    private static MessageId messageId(Exchange exchange) {
        String id = exchange.pathParameter("messageId");
        if (!MessageId.isValid(id)) {
            throw MessageQueue.notQueued();
        }
        return new MessageId(id);
    }
}
