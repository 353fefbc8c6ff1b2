package dev.satchel.server.export;

import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.turn.ChatRoutes;
import dev.satchel.server.turn.ChatService;
import java.io.IOException;
import java.io.OutputStream;

/** {@code GET /api/assistant/chats/{id}/export.md} and {@code export.zip}: one chat to keep. */
public final class ChatExportRoutes {
    private final ChatExport export;
    private final ChatService chats;
    private final Authentication access;

    public ChatExportRoutes(ChatExport export, ChatService chats, Authentication access) {
        this.export = export;
        this.chats = chats;
        this.access = access;
    }

    public void addTo(Router router) {
        String one = "/api/assistant/chats/{id}/export";
        router.get(one + ".md", access.requireCaller(Permission.READ_CHATS, this::markdown));
        router.get(one + ".zip", access.requireCaller(Permission.EXPORT_CHATS, this::archive));
    }

    private void markdown(Exchange exchange, Caller caller) throws IOException {
        send(exchange, caller, "md", "text/markdown; charset=utf-8", export::writeMarkdown);
    }

    private void archive(Exchange exchange, Caller caller) throws IOException {
        send(exchange, caller, "zip", "application/zip", export::writeArchive);
    }

    private interface Format {
        void write(Caller caller, Conversation chat, OutputStream out) throws IOException;
    }

    private void send(
            Exchange exchange, Caller caller, String ending, String contentType, Format format)
            throws IOException {
        Conversation chat = chats.get(caller, ChatRoutes.chatId(exchange));
        String name = "chat-" + chat.id().value() + "." + ending;
        exchange.header("Content-Disposition", "attachment; filename=\"" + name + "\"")
                .header("Cache-Control", "no-store");
        OutputStream out = exchange.stream(200, contentType);
        if (!exchange.isHead()) {
            format.write(caller, chat, out);
        }
        out.close(); // after a failure the response is not complete
    }
}
