package dev.satchel.client;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A workspace as it was at the end of a turn. */
public record Snapshot(
        String id,
        @JsonFormat(shape = JsonFormat.Shape.STRING) Instant createdAt,
        @Nullable String runId,
        long files,
        long bytes) {}
