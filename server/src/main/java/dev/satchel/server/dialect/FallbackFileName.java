package dev.satchel.server.dialect;

import org.jspecify.annotations.Nullable;

/** A name for a file that may have come without one. */
public final class FallbackFileName {
    private FallbackFileName() {}

    public static String of(@Nullable String given, @Nullable String mediaType) {
        if (given != null && !given.isBlank()) {
            return given;
        }
        String type = mediaType == null ? "" : mediaType.replaceFirst(";.*", "");
        String extension =
                type.replaceFirst("^[^/]*/(x-|vnd\\.)?", "").replaceAll("[^a-z0-9].*", "");
        if (type.startsWith("text/plain")) {
            extension = "txt";
        }
        return extension.isEmpty() ? "file" : "file." + extension;
    }
}
