package dev.satchel.server.search;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Splits a long text into chunks that are indexed by themselves: PostgreSQL stores no position
 * beyond 16,383, and the beginning of a hit must be found fast. Words of one query must be in one
 * chunk.
 */
final class TextChunks {
    private static final int MAX_TOKENS = 4_000;
    private static final int MAX_CHARACTERS = 100_000;

    private TextChunks() {}

    /** A piece of the text with its words. */
    record Chunk(String text, String words) {}

    /** None for a text without words. */
    static List<Chunk> of(String text) {
        List<Chunk> chunks = new ArrayList<>();
        List<SearchToken> tokens = SearchTokenizer.tokens(text);
        int first = 0;
        int start = 0;
        for (int i = 1; i <= tokens.size(); i++) {
            boolean isLast = i == tokens.size();
            if (isLast || i - first >= MAX_TOKENS || tokens.get(i).end() - start > MAX_CHARACTERS) {
                int end = isLast ? text.length() : tokens.get(i).start();
                chunks.add(chunk(text, start, end, tokens.subList(first, i)));
                first = i;
                start = end;
            }
        }
        return chunks;
    }

    /** The words of the first chunk, which is the whole of a name. */
    static String firstWords(String name) {
        List<Chunk> chunks = of(name);
        return chunks.isEmpty() ? "" : chunks.getFirst().words();
    }

    private static Chunk chunk(String text, int start, int end, List<SearchToken> tokens) {
        int cut = Math.min(end, start + MAX_CHARACTERS); // only spaces and marks are left out
        return new Chunk(
                text.substring(start, cut),
                tokens.stream().map(SearchToken::text).collect(Collectors.joining(" ")));
    }
}
