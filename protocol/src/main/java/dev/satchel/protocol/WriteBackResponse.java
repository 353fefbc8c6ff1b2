package dev.satchel.protocol;

import java.util.List;

/** The response of {@code POST {agent_url}/results}. */
public record WriteBackResponse(List<File> files, List<Skipped> skipped) {
    public WriteBackResponse {
        files = List.copyOf(files);
        skipped = List.copyOf(skipped);
    }

    public record File(
            String id, String name, String mimeType, long size, String sha256, String source) {}

    /** A part that is not a new file, and the reason. */
    public record Skipped(String name, String reason) {}
}
