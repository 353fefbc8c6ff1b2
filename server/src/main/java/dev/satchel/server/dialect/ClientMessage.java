package dev.satchel.server.dialect;

import dev.satchel.http.Fields;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.file.FileId;
import dev.satchel.server.turn.AgentSelection;
import dev.satchel.server.turn.InlineFile;
import dev.satchel.server.turn.TurnRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A user's message from any client: text and files.
 *
 * @param inline files with their content
 * @param attached files of the chat
 * @param uploads files that were received before
 */
public record ClientMessage(
        @Nullable String id,
        String text,
        List<InlineFile> inline,
        List<String> attached,
        List<FileId> uploads) {
    public ClientMessage {
        uploads = List.copyOf(uploads);
        inline = List.copyOf(inline);
        attached = List.copyOf(attached);
        if (text.isBlank() && inline.isEmpty() && attached.isEmpty() && uploads.isEmpty()) {
            throw Fields.invalid("messages", "must end with a message of the user");
        }
    }

    /** Without the client's id, so that the same message can be sent again as a new one. */
    public ClientMessage withFreshId() {
        return new ClientMessage(null, text, inline, attached, uploads);
    }

    /** The turn of this message; the conversation is created with its first turn. */
    public TurnRequest turn(ConversationId chat, AgentSelection selection) {
        return new TurnRequest(
                new TurnRequest.Target.CreatedIfAbsent(chat),
                new TurnRequest.Message(
                        id != null && MessageId.isValid(id)
                                ? new MessageId(id)
                                : MessageId.random(),
                        text,
                        TurnRequest.attachments(attached),
                        uploads,
                        inline),
                selection);
    }
}
