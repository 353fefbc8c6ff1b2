package dev.satchel.server.upload.tus;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.satchel.http.Fields;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;

/** Parses the headers of tus; invalid ones are a 400. */
final class TusHeaders {
    private TusHeaders() {}

    static long number(String header, String value) {
        if (!value.matches("[0-9]{1,18}")) {
            throw Fields.invalid(header, "must be a whole number");
        }
        return Long.parseLong(value);
    }

    /**
     * Pairs of a name and a value in Base64, separated by commas. A name without a value is
     * ignored.
     */
    static Map<String, String> metadata(String header) {
        Map<String, String> metadata = new HashMap<>();
        for (String pair : header.split(",", -1)) {
            String[] words = pair.strip().split(" ", 2);
            if (words.length == 2) {
                metadata.put(words[0], decoded(words[1].strip()));
            }
        }
        return metadata;
    }

    private static String decoded(String value) {
        try {
            return new String(Base64.getDecoder().decode(value), UTF_8);
        } catch (IllegalArgumentException e) {
            throw Fields.invalid("Upload-Metadata", "is not in base64");
        }
    }
}
