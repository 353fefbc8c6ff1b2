package dev.satchel.server.dialect;

import dev.satchel.http.Fields;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.file.FileId;
import dev.satchel.server.turn.AgentSelection;
import dev.satchel.server.turn.InlineFile;
import dev.satchel.server.turn.TurnRequest;
import dev.satchel.server.turn.TurnRequest.Place;
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

    /** A new message after the head; the conversation is created with its first turn. */
    public TurnRequest turn(ConversationId chat, AgentSelection selection) {
        return new TurnRequest(
                new TurnRequest.Target.CreatedIfAbsent(chat),
                content(
                        id != null && MessageId.isValid(id)
                                ? new MessageId(id)
                                : MessageId.random()),
                selection);
    }

    /** This message instead of one that the thread has, on a branch of its own. */
    public TurnRequest instead(
            ConversationId chat, @Nullable MessageId parent, AgentSelection selection) {
        return new TurnRequest(
                new TurnRequest.Target.Existing(chat),
                parent == null ? new Place.First() : new Place.After(parent),
                content(MessageId.random()),
                selection);
    }

    private TurnRequest.Message content(MessageId newId) {
        return new TurnRequest.Message(
                newId, text, TurnRequest.attachments(attached), uploads, inline);
    }
}
