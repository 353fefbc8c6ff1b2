package dev.satchel.server.upload;

import java.util.Locale;
import java.util.Set;

/** How a model receives a file: as an image, as text, or by its name only. */
enum FileKind {
    IMAGE,
    TEXT,
    DOCUMENT,
    BINARY;

    /** The formats that models accept; SVG is text. */
    private static final Set<String> IMAGES =
            Set.of("image/png", "image/jpeg", "image/gif", "image/webp");

    private static final Set<String> TEXTS =
            Set.of(
                    "application/json",
                    "application/xml",
                    "application/javascript",
                    "application/yaml",
                    "application/x-ndjson",
                    "application/sql",
                    "image/svg+xml");

    static FileKind of(String mimeType) {
        String type = mimeType.split(";", 2)[0].strip();
        if (IMAGES.contains(type)) {
            return IMAGE;
        }
        if (type.startsWith("text/") || TEXTS.contains(type)) {
            return TEXT;
        }
        boolean document =
                type.equals("application/pdf")
                        || type.equals("application/msword")
                        || type.equals("application/rtf")
                        || type.startsWith("application/vnd.");
        return document ? DOCUMENT : BINARY;
    }

    String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
