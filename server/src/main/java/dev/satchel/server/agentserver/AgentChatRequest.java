package dev.satchel.server.agentserver;

import dev.satchel.server.turn.AgentSelection;
import dev.satchel.server.turn.OnDisconnect;
import dev.satchel.server.turn.TurnRequest;
import dev.satchel.server.turn.TurnRequest.Message;
import dev.satchel.server.turn.TurnRequest.Target;
import dev.satchel.server.upload.UploadClaims;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The body of {@code POST /agent-server/api/chat}. */
record AgentChatRequest(
        String message,
        @Nullable Context context,
        @Nullable String agentId,
        @Nullable String model,
        @Nullable String userMessageId,
        @Nullable String onDisconnect) {

    /** The files of the message. */
    record Context(List<String> fileIds) {
        Context {
            fileIds = fileIds == null ? List.of() : List.copyOf(fileIds);
        }
    }

    AgentChatRequest {
        boolean hasFiles = context != null && !context.fileIds().isEmpty();
        message = message == null && hasFiles ? "" : message;
        TurnRequest.messageId(userMessageId);
        OnDisconnect.parse(onDisconnect, OnDisconnect.CONTINUE);
    }

    TurnRequest turn(Target target) {
        return new TurnRequest(
                target,
                new Message(
                        TurnRequest.messageId(userMessageId),
                        message,
                        List.of(),
                        UploadClaims.files(ids()),
                        List.of()),
                new AgentSelection(agentId, model));
    }

    /** The run continues by default: these clients reconnect with {@code GET /sessions/{id}}. */
    OnDisconnect disconnected() {
        return OnDisconnect.parse(onDisconnect, OnDisconnect.CONTINUE);
    }

    private List<String> ids() {
        return context == null ? List.of() : context.fileIds();
    }
}
