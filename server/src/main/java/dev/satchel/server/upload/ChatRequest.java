package dev.satchel.server.upload;

import dev.satchel.server.bag.FileId;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.turn.TurnRequest;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** The body of {@code POST /agent-server/api/chat}. */
record ChatRequest(
        String message,
        @Nullable Context context,
        @Nullable String userMessageId,
        @Nullable String onDisconnect) {

    /** What goes with the message. */
    record Context(List<String> fileIds) {
        Context {
            fileIds = fileIds == null ? List.of() : List.copyOf(fileIds);
        }
    }

    List<FileId> files() {
        return Claims.files(ids());
    }

    /**
     * The same as a turn. Here a run goes on when its client leaves, unless asked not to: the
     * agent-server's clients come back with {@code GET /sessions/{id}}.
     */
    TurnRequest turn(@Nullable ConversationId conversation) {
        return new TurnRequest(
                message,
                conversation == null ? null : conversation.value(),
                null,
                null,
                ids(),
                userMessageId,
                onDisconnect == null ? "continue" : onDisconnect);
    }

    private List<String> ids() {
        return context == null ? List.of() : context.fileIds();
    }
}
