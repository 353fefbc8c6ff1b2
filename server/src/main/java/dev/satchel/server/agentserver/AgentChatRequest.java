package dev.satchel.server.agentserver;

import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.file.FileId;
import dev.satchel.server.turn.TurnRequest;
import dev.satchel.server.upload.UploadClaims;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The body of {@code POST /agent-server/api/chat}. */
record AgentChatRequest(
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
        return UploadClaims.files(ids());
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
