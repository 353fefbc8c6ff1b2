package dev.satchel.server.search;

import java.util.ArrayList;
import java.util.List;

/**
 * The part of a text around the first match, and where the matches are in it, in UTF-16 units. The
 * text is plain: nobody has to parse marks in it.
 */
record SearchSnippet(String text, List<Match> matches) {
    private static final int BEFORE = 60;
    private static final int LENGTH = 240;

    SearchSnippet {
        matches = List.copyOf(matches);
    }

    record Match(int start, int length) {}

    static SearchSnippet of(String text, SearchQuery query) {
        List<Match> matches = matches(text, query);
        int first = matches.isEmpty() ? 0 : matches.getFirst().start();
        int from = wordBefore(text, Math.max(0, first - BEFORE), first);
        int to = wholeCharacter(text, Math.min(text.length(), from + LENGTH));
        List<Match> shown = new ArrayList<>();
        for (Match match : matches) {
            int start = match.start() - from;
            int end = Math.min(match.start() + match.length(), to) - from;
            if (start >= 0 && end > start) {
                shown.add(new Match(start, end - start));
            }
        }
        return new SearchSnippet(oneLine(text.substring(from, to)), shown);
    }

    /**
     * Without overlaps, in the order of the text. An entry may be long: what follows the part that
     * is shown is not read.
     */
    private static List<Match> matches(String text, SearchQuery query) {
        int longest = query.phrases().stream().mapToInt(p -> p.words().size()).max().orElse(1);
        List<SearchToken> tokens = new ArrayList<>();
        List<Match> matches = new ArrayList<>();
        int read = 0;
        int end = 0;
        for (int i = 0; true; i++) {
            while (tokens.size() < i + longest && read < text.length()) {
                read = SearchTokenizer.addNext(tokens, text, read);
            }
            if (i >= tokens.size() || isBehind(tokens.get(i), matches)) {
                return matches;
            }
            for (SearchQuery.Phrase phrase : query.phrases()) {
                if (tokens.get(i).start() >= end && matches(tokens, i, phrase)) {
                    int start = tokens.get(i).start();
                    end = tokens.get(i + phrase.words().size() - 1).end();
                    matches.add(new Match(start, end - start));
                }
            }
        }
    }

    private static boolean isBehind(SearchToken token, List<Match> matches) {
        return !matches.isEmpty() && token.start() > matches.getFirst().start() + LENGTH;
    }

    private static boolean matches(List<SearchToken> tokens, int at, SearchQuery.Phrase phrase) {
        List<String> words = phrase.words();
        if (at + words.size() > tokens.size()) {
            return false;
        }
        for (int i = 0; i < words.size(); i++) {
            String found = tokens.get(at + i).text();
            boolean isOpen = phrase.prefix() && i == words.size() - 1;
            if (isOpen ? !found.startsWith(words.get(i)) : !found.equals(words.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** Begins with a word if there is a space before the match, and with a whole character. */
    private static int wordBefore(String text, int from, int match) {
        if (from == 0) {
            return 0;
        }
        for (int i = from; i < match; i++) {
            if (Character.isWhitespace(text.charAt(i))) {
                return i + 1;
            }
        }
        return wholeCharacter(text, from);
    }

    private static int wholeCharacter(String text, int at) {
        boolean isInside =
                at > 0
                        && at < text.length()
                        && Character.isLowSurrogate(text.charAt(at))
                        && Character.isHighSurrogate(text.charAt(at - 1));
        return isInside ? at - 1 : at;
    }

    /** Of the same length, so that the matches stay where they are. */
    private static String oneLine(String text) {
        StringBuilder line = new StringBuilder(text);
        for (int i = 0; i < line.length(); i++) {
            if (Character.isISOControl(line.charAt(i))) {
                line.setCharAt(i, ' ');
            }
        }
        return line.toString();
    }
}
