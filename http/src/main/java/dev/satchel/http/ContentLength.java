package dev.satchel.http;

import java.util.Optional;

/** How long a body is going to be, as its sender says. */
final class ContentLength {
    private ContentLength() {}

    static long of(Optional<String> header, long otherwise) {
        try {
            return header.isPresent() ? Long.parseLong(header.get()) : otherwise;
        } catch (NumberFormatException e) {
            throw new SatchelException(ErrorCode.INVALID_REQUEST, "Content-Length is not a number");
        }
    }
}
