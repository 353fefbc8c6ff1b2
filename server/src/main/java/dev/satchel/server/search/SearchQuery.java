package dev.satchel.server.search;

import dev.satchel.http.Fields;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a person searches: every word must occur, and words in quotes next to each other. A star
 * after a word, or the end of the query, stands for the rest of a word. Everything else is text:
 * there are no operators.
 */
record SearchQuery(List<Phrase> phrases) {
    private static final int MAX_LENGTH = 1000;
    private static final int MAX_PHRASES = 32;

    /** Shorter beginnings are of nearly every text. */
    private static final int MIN_PREFIX = 2;

    /** A quoted phrase, which may not be closed, or a word. */
    private static final Pattern PARTS = Pattern.compile("\"([^\"]*+)\"?|([^\\s\"]++)");

    SearchQuery {
        phrases = List.copyOf(phrases);
    }

    /** Words that follow each other; {@code prefix} if the last one may go on. */
    record Phrase(List<String> words, boolean prefix) {
        Phrase {
            words = List.copyOf(words);
        }
    }

    /** Refuses an empty and a very long text. A text without words finds nothing. */
    static SearchQuery parse(String field, String text) {
        String query = Fields.text(field, text, MAX_LENGTH);
        List<Phrase> phrases = new ArrayList<>();
        Matcher parts = PARTS.matcher(query);
        while (parts.find()) {
            String quoted = parts.group(1);
            String part = quoted == null ? parts.group(2) : quoted;
            boolean prefix =
                    quoted == null && (part.endsWith("*") || parts.end() == query.length());
            add(phrases, SearchTokenizer.tokens(part), prefix);
        }
        if (phrases.size() > MAX_PHRASES) {
            throw Fields.invalid(field, "has more than " + MAX_PHRASES + " words");
        }
        return new SearchQuery(phrases);
    }

    private static void add(List<Phrase> phrases, List<SearchToken> tokens, boolean prefix) {
        if (tokens.isEmpty()) {
            return;
        }
        List<String> words = new ArrayList<>(tokens.stream().map(SearchToken::text).toList());
        SearchToken last = tokens.getLast();
        boolean single = last.text().codePointCount(0, last.text().length()) < MIN_PREFIX;
        boolean endsInside = last.isPart();
        if (endsInside && tokens.size() > 1 && tokens.get(tokens.size() - 2).end() == last.end()) {
            words.removeLast(); // the pair before has this character already
            phrases.add(new Phrase(words, false));
            return;
        }
        phrases.add(new Phrase(words, endsInside || (prefix && !single)));
    }

    boolean isEmpty() {
        return phrases.isEmpty();
    }

    /** In the language of FTS5. The words of the person come first, since they are the rarest. */
    String forSqlite(SearchMarks marks) {
        return Stream.concat(
                        marks.groups().stream().map(group -> anyOf(group, '"', " OR ")),
                        phrases.stream().map(SearchQuery::forSqlite))
                .collect(Collectors.joining(" AND "));
    }

    private static String anyOf(List<String> words, char quote, String or) {
        return words.stream()
                .map(word -> quote + word + quote)
                .collect(Collectors.joining(or, "(", ")"));
    }

    private static String forSqlite(Phrase phrase) {
        return '"' + String.join(" ", phrase.words()) + '"' + (phrase.prefix() ? " *" : "");
    }

    /** As a tsquery of PostgreSQL. */
    String forPostgresql(SearchMarks marks) {
        return Stream.concat(
                        marks.groups().stream().map(group -> anyOf(group, '\'', " | ")),
                        phrases.stream().map(SearchQuery::forPostgresql))
                .collect(Collectors.joining(" & "));
    }

    private static String forPostgresql(Phrase phrase) {
        return phrase.words().stream()
                .map(word -> '\'' + word + '\'')
                .collect(Collectors.joining(" <-> ", "(", phrase.prefix() ? ":*)" : ")"));
    }
}
