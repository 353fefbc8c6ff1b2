package dev.satchel.protocol;

import java.util.List;

/** The answer of {@code POST {agent_url}/results}. */
public record WriteBackResponse(List<File> files, List<Skipped> skipped) {
    public WriteBackResponse {
        files = List.copyOf(files);
        skipped = List.copyOf(skipped);
    }

    public record File(
            String id, String name, String mimeType, long size, String sha256, String source) {}

    /** A part that made no new file, and why. */
    public record Skipped(String name, String reason) {}
}
