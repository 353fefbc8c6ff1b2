package dev.satchel.client.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A file of a chat or a run; where it only stands beside a message, its source, message, time and
 * versions are absent.
 */
public record FileInfo(
        String id,
        String name,
        String mimeType,
        long size,
        String sha256,
        @Nullable String source,
        @Nullable String messageId,
        @Nullable Instant createdAt,
        @Nullable String path,
        @Nullable String supersedes,
        @Nullable String supersededBy,
        JsonNode json)
        implements ServerObject {

    /** The path of a file that a run handed in, else its name. */
    public String shownPath() {
        return path == null ? name : path;
    }
}
