package dev.satchel.documents;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Builds one JSON object of texts and numbers. The extraction program starts for every document,
 * and the JSON mapper would take longer to load than a small document to read.
 */
final class JsonLine {
    private static final String HEX = "0123456789abcdef";

    private final StringBuilder json = new StringBuilder("{");

    /** Adds nothing for null. */
    JsonLine text(String name, @Nullable String value) {
        if (value != null) {
            name(name);
            quote(value);
        }
        return this;
    }

    /** Adds nothing for null. */
    JsonLine number(String name, @Nullable Integer value) {
        if (value != null) {
            name(name);
            json.append(value.intValue());
        }
        return this;
    }

    /** Adds nothing for false. */
    JsonLine flag(String name, boolean value) {
        if (value) {
            name(name);
            json.append("true");
        }
        return this;
    }

    byte[] end() {
        return json.append("}\n").toString().getBytes(StandardCharsets.UTF_8);
    }

    private void name(String name) {
        if (json.length() > 1) {
            json.append(',');
        }
        json.append('"').append(name).append("\":");
    }

    private void quote(String value) {
        json.append('"');
        int start = 0;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c >= ' ' && c != '"' && c != '\\' && !Character.isSurrogate(c)) {
                continue;
            }
            json.append(value, start, i);
            start = i + 1;
            switch (c) {
                case '"' -> json.append("\\\"");
                case '\\' -> json.append("\\\\");
                case '\n' -> json.append("\\n");
                case '\t' -> json.append("\\t");
                case '\r' -> json.append("\\r");
                default -> character(value, i, c);
            }
        }
        json.append(value, start, value.length()).append('"');
    }

    /**
     * Control characters are escaped, and half a surrogate pair, which has no UTF-8, is replaced.
     */
    private void character(String value, int index, char c) {
        if (c < ' ') {
            json.append("\\u00").append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 15));
        } else if (Character.isSurrogate(c) && !isPaired(value, index, c)) {
            json.append('\ufffd');
        } else {
            json.append(c);
        }
    }

    private static boolean isPaired(String value, int index, char c) {
        return Character.isHighSurrogate(c)
                ? index + 1 < value.length() && Character.isLowSurrogate(value.charAt(index + 1))
                : index > 0 && Character.isHighSurrogate(value.charAt(index - 1));
    }
}
