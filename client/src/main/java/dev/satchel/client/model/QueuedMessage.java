package dev.satchel.client.model;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A message that waits for its turn.
 *
 * @param steering true if the running agent shall hear it
 * @param problem why its turn was refused when it was due; null if it was not
 */
public record QueuedMessage(
        String messageId,
        String message,
        List<FileInfo> fileAttachments,
        @Nullable String model,
        @Nullable String problem,
        @Nullable Boolean steering,
        Instant createdAt,
        JsonNode json)
        implements ServerObject {

    public QueuedMessage {
        fileAttachments = List.copyOf(fileAttachments);
    }
}
