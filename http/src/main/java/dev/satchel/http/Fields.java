package dev.satchel.http;

import org.jspecify.annotations.Nullable;

/** Checks the fields of request records; an error names the field. */
public final class Fields {
    private Fields() {}

    public static <T> T required(String field, @Nullable T value) {
        if (value == null) {
            throw invalid(field, "is required");
        }
        return value;
    }

    public static String text(String field, @Nullable String value, int maxLength) {
        String text = required(field, value);
        if (text.isBlank()) {
            throw invalid(field, "must not be empty");
        }
        return atMost(field, text, maxLength);
    }

    public static String atMost(String field, String value, int maxLength) {
        if (value.length() > maxLength) {
            throw invalid(field, "is longer than " + maxLength + " characters");
        }
        if (value.indexOf('\0') >= 0) { // PostgreSQL cannot store one
            throw invalid(field, "must not contain a NUL character");
        }
        return value;
    }

    public static SatchelException invalid(String field, String problem) {
        return new SatchelException(ErrorCode.INVALID_REQUEST, field + " " + problem);
    }

    public static SatchelException unknown(String field) {
        return new SatchelException(ErrorCode.INVALID_REQUEST, "unknown field " + field);
    }
}
