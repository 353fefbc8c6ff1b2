package dev.satchel.server.file;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.SatchelException;
import java.util.UUID;
import java.util.regex.Pattern;

public record FileId(String value) {
    private static final Pattern FORM = Pattern.compile("[0-9a-f-]{36}");

    public FileId {
        if (!isValid(value)) {
            throw new IllegalArgumentException("not a file id");
        }
    }

    public static FileId random() {
        return new FileId(UUID.randomUUID().toString());
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
        return FORM.matcher(value).matches();
    }
}
