package dev.satchel.server.search;

import dev.satchel.http.paging.PageCursor;

/** The place of an entry in the order of hits, the newest first. */
record SearchPosition(long at, long id) {
    static final SearchPosition START = new SearchPosition(Long.MAX_VALUE, Long.MAX_VALUE);

    static SearchPosition of(PageCursor cursor) {
        try {
            return cursor.id().isEmpty()
                    ? START
                    : new SearchPosition(cursor.time(), Long.parseLong(cursor.id()));
        } catch (NumberFormatException e) {
            return START;
        }
    }

    PageCursor cursor() {
        return new PageCursor(at, Long.toString(id));
    }
}
