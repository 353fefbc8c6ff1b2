package dev.satchel.server.file;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.SatchelException;
import java.util.OptionalLong;
import java.util.UUID;

public record FileId(String value) {
    private static final int LENGTH = 36;

    public FileId {
        if (!isValid(value)) {
            throw new IllegalArgumentException("not a file id");
        }
    }

    public static FileId random() {
        return new FileId(UUID.randomUUID().toString());
    }

    /** A random id that has the time in it, as UUIDs of version 7 do. */
    public static FileId at(long millis) {
        UUID random = UUID.randomUUID();
        long high = (millis << 16) | 0x7000 | (random.getMostSignificantBits() & 0xfff);
        return new FileId(new UUID(high, random.getLeastSignificantBits()).toString());
    }

    /** The time that is in the id, if there is one. */
    public OptionalLong millis() {
        UUID id = UUID.fromString(value);
        return id.version() == 7
                ? OptionalLong.of(id.getMostSignificantBits() >>> 16)
                : OptionalLong.empty();
    }

    /** The {@code fileId} of the path; one that cannot be an id belongs to no file. */
    public static FileId of(Exchange exchange) {
        String id = exchange.pathParameter("fileId");
        if (!isValid(id)) {
            throw new SatchelException(ErrorCode.NOT_FOUND, "no such file");
        }
        return new FileId(id);
    }

    public static boolean isValid(String value) {
        if (value.length() != LENGTH) {
            return false;
        }
        for (int i = 0; i < LENGTH; i++) { // a pattern is slower, and a bag has many files
            char c = value.charAt(i);
            if (!(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'f') && c != '-') {
                return false;
            }
        }
        return true;
    }
}
