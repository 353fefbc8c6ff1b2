package dev.satchel.server.storage;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.satchel.server.conversation.ConversationId;
import org.jspecify.annotations.Nullable;

/** The storage of one conversation. A deleted one can be restored, so its bytes still count. */
@JsonInclude(JsonInclude.Include.ALWAYS)
record ConversationUsage(
        String id,
        @Nullable String title,
        boolean deleted,
        UsageTotal files,
        UsageTotal deletedFiles,
        UsageTotal snapshots) {

    /** The title of a chat and whether it is deleted. */
    record Name(@Nullable String title, boolean deleted) {}

    static ConversationUsage ofBag(ConversationId id, UsageTotal files, UsageTotal deletedFiles) {
        return new ConversationUsage(id.value(), null, false, files, deletedFiles, UsageTotal.NONE);
    }

    static ConversationUsage ofSnapshots(ConversationId id, UsageTotal snapshots) {
        return new ConversationUsage(
                id.value(), null, false, UsageTotal.NONE, UsageTotal.NONE, snapshots);
    }

    ConversationUsage plus(ConversationUsage other) {
        return new ConversationUsage(
                id,
                title,
                deleted,
                files.plus(other.files),
                deletedFiles.plus(other.deletedFiles),
                snapshots.plus(other.snapshots));
    }

    ConversationUsage named(Name name) {
        return new ConversationUsage(id, name.title, name.deleted, files, deletedFiles, snapshots);
    }

    @JsonProperty
    long bytes() {
        return files.bytes() + deletedFiles.bytes() + snapshots.bytes();
    }
}
