package dev.satchel.protocol;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The response of {@code POST {agent_url}/results}. */
public record WriteBackResponse(List<File> files, List<Skipped> skipped) {
    public WriteBackResponse {
        files = List.copyOf(files);
        skipped = List.copyOf(skipped);
    }

    /** A new file or version; {@code path} is relative to {@code assets/}. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record File(
            String id,
            String name,
            String mimeType,
            long size,
            String sha256,
            String source,
            @Nullable String path) {}

    /** A part that is not a new file, and the reason; {@code size} is what was received. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Skipped(String name, String reason, @Nullable String path, @Nullable Long size) {
        /** The reason for a file that the conversation has already; any other is a loss. */
        public static final String UNCHANGED = "unchanged";
    }
}
