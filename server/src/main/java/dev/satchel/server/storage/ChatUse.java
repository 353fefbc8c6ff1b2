package dev.satchel.server.storage;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.satchel.server.conversation.ConversationId;
import org.jspecify.annotations.Nullable;

/** What one conversation holds. A deleted one can be brought back, so its bytes are still there. */
@JsonInclude(JsonInclude.Include.ALWAYS)
record ChatUse(
        String id,
        @Nullable String title,
        boolean deleted,
        Use files,
        Use deletedFiles,
        Use snapshots) {

    /** What a chat is called, and whether it is deleted. */
    record Name(@Nullable String title, boolean deleted) {}

    static ChatUse ofBag(ConversationId id, Use files, Use deletedFiles) {
        return new ChatUse(id.value(), null, false, files, deletedFiles, Use.NONE);
    }

    static ChatUse ofSnapshots(ConversationId id, Use snapshots) {
        return new ChatUse(id.value(), null, false, Use.NONE, Use.NONE, snapshots);
    }

    ChatUse plus(ChatUse other) {
        return new ChatUse(
                id,
                title,
                deleted,
                files.plus(other.files),
                deletedFiles.plus(other.deletedFiles),
                snapshots.plus(other.snapshots));
    }

    ChatUse named(Name name) {
        return new ChatUse(id, name.title, name.deleted, files, deletedFiles, snapshots);
    }

    @JsonProperty
    long bytes() {
        return files.bytes() + deletedFiles.bytes() + snapshots.bytes();
    }
}
