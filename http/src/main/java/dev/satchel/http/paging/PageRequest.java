package dev.satchel.http.paging;

import dev.satchel.http.Exchange;
import dev.satchel.http.Fields;
import dev.satchel.http.SatchelException;

/** The page of a list that a client requests with {@code cursor} and {@code limit}. */
public record PageRequest(PageCursor from, int limit) {
    private static final int DEFAULT_LIMIT = 50;
    private static final int MAX_LIMIT = 200;

    public static PageRequest of(Exchange exchange) {
        PageCursor from = exchange.query("cursor").map(PageCursor::parse).orElse(PageCursor.START);
        return new PageRequest(from, limit(exchange));
    }

    public static int limit(Exchange exchange) {
        int limit = exchange.query("limit").map(PageRequest::number).orElse(DEFAULT_LIMIT);
        if (limit < 1 || limit > MAX_LIMIT) {
            throw outOfRange();
        }
        return limit;
    }

    private static int number(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw outOfRange();
        }
    }

    private static SatchelException outOfRange() {
        return Fields.invalid("limit", "must be 1 to " + MAX_LIMIT);
    }
}
