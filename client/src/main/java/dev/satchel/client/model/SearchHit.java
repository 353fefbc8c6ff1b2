package dev.satchel.client.model;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a search has found: a {@code message}, a {@code chat} by its title, a {@code file} or an
 * {@code asset}.
 *
 * @param name of the file, or the title of the chat
 * @param page of the first hit in a file, if it has pages
 * @param snippet plain text around the first match
 */
public record SearchHit(
        String kind,
        @Nullable String chatId,
        @Nullable String messageId,
        @Nullable String fileId,
        String name,
        @Nullable String role,
        @Nullable Integer page,
        String snippet,
        List<Match> matches,
        Instant at,
        JsonNode json)
        implements ServerObject {

    public SearchHit {
        matches = List.copyOf(matches);
    }

    /** A part of the snippet that matches. */
    public record Match(int start, int length) {}
}
