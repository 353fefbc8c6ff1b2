package dev.satchel.server.dialect;

import dev.satchel.http.Fields;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.turn.TurnRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A user's message from any client: text, files with their content, and files stored here. */
public record ClientMessage(
        @Nullable String id, String text, List<InlineFile> inline, List<String> attached) {
    public ClientMessage {
        inline = List.copyOf(inline);
        attached = List.copyOf(attached);
        if (text.isBlank() && inline.isEmpty() && attached.isEmpty()) {
            throw Fields.invalid("messages", "must end with a message of the user");
        }
    }

    /** Without the client's id, so that the same message can be sent again as a new one. */
    public ClientMessage withFreshId() {
        return new ClientMessage(null, text, inline, attached);
    }

    TurnRequest turn(ConversationId chat, List<String> received, String onDisconnect) {
        List<String> all = new ArrayList<>(attached);
        all.addAll(received);
        return new TurnRequest(
                text.isBlank() ? "Attached: " + names() : text,
                chat.value(),
                null,
                null,
                all,
                id != null && MessageId.isValid(id) ? id : null,
                onDisconnect);
    }

    private String names() {
        return inline.isEmpty()
                ? "files"
                : inline.stream().map(InlineFile::name).collect(Collectors.joining(", "));
    }
}
