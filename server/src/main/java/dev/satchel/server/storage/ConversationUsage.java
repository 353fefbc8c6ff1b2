package dev.satchel.server.storage;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * The storage of one conversation. A deleted one can be restored until {@code erasedAt}, so its
 * bytes still count.
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
record ConversationUsage(
        String id,
        @Nullable String title,
        boolean deleted,
        @Nullable Long erasedAt,
        UsageTotal files,
        UsageTotal deletedFiles,
        UsageTotal snapshots) {

    @JsonProperty
    long bytes() {
        return files.bytes() + deletedFiles.bytes() + snapshots.bytes();
    }
}
