package dev.satchel.server.upload;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.satchel.server.bag.BagFile;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.conversation.PersistedMessage;
import dev.satchel.server.turn.Chats;
import dev.satchel.server.upload.UploadView.FileView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A session as a client catches up with it: its newest messages, its files, whether it is busy. */
@JsonInclude(JsonInclude.Include.ALWAYS)
record SessionView(
        String id,
        @Nullable String title,
        String status,
        @Nullable String runId,
        long messageCount,
        List<PersistedMessage> messages,
        List<FileView> files,
        long createdAt,
        long updatedAt) {
    SessionView {
        messages = List.copyOf(messages);
        files = List.copyOf(files);
    }

    static SessionView of(Chats.ThreadPage thread, List<BagFile> files) {
        Conversation conversation = thread.conversation();
        String run = conversation.activeRunId();
        return new SessionView(
                conversation.id().value(),
                conversation.title(),
                run == null ? "idle" : "running",
                run,
                conversation.messageCount(),
                thread.messages(),
                files.stream().map(FileView::of).toList(),
                conversation.createdAt(),
                conversation.updatedAt());
    }
}
