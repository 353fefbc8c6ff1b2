package dev.satchel.server.search;

import org.jspecify.annotations.Nullable;

/**
 * An entry of the index that a query has found.
 *
 * @param name of the file, or the title of the chat
 * @param role who wrote the message
 * @param seq the number of the message in its thread
 */
record FoundEntry(
        long id,
        IndexedItem item,
        @Nullable Integer page,
        String text,
        long at,
        String name,
        @Nullable String role,
        @Nullable Long seq) {
    SearchPosition position() {
        return new SearchPosition(at, id);
    }
}
