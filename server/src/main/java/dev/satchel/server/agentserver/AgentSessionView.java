package dev.satchel.server.agentserver;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.satchel.server.bag.BagFile;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.conversation.PersistedMessage;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.turn.ChatService;
import dev.satchel.server.upload.UploadView.FileView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A session as JSON: its newest messages, its files, and whether a run is active. */
@JsonInclude(JsonInclude.Include.ALWAYS)
record AgentSessionView(
        String id,
        @Nullable String title,
        String status,
        @Nullable String runId,
        long messageCount,
        List<PersistedMessage> messages,
        List<FileView> files,
        long createdAt,
        long updatedAt) {
    AgentSessionView {
        messages = List.copyOf(messages);
        files = List.copyOf(files);
    }

    static AgentSessionView of(ChatService.ThreadPage thread, List<BagFile> files) {
        Conversation conversation = thread.conversation();
        RunId run = conversation.activeRunId();
        return new AgentSessionView(
                conversation.id().value(),
                conversation.title(),
                run == null ? "idle" : "running",
                run == null ? null : run.value(),
                conversation.messageCount(),
                thread.messages(),
                files.stream().map(FileView::of).toList(),
                conversation.createdAt(),
                conversation.updatedAt());
    }
}
