package dev.satchel.server.search;

import java.lang.Character.UnicodeScript;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Splits texts and queries into the words that both databases index. Case and accents are folded.
 * Scripts that are written without spaces become pairs of characters, so that any part of a
 * sentence can be found. A word contains letters, digits and symbols only, never a quote or a
 * space, so that it can be part of a query of any database. May be shared between threads.
 */
final class SearchTokenizer {
    /** In UTF-16 units. A longer word is a token with its beginning. */
    private static final int MAX_LENGTH = 64;

    /** Letters that have no decomposition in Unicode. */
    private static final Map<Character, String> PLAIN =
            Map.of(
                    'ø', "o", 'đ', "d", 'ð', "d", 'ł', "l", 'ħ', "h", 'ı', "i", 'æ', "ae", 'œ',
                    "oe", 'þ', "th", 'ς', "σ");

    private SearchTokenizer() {}

    static List<SearchToken> tokens(String text) {
        List<SearchToken> tokens = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            at = addNext(tokens, text, at);
        }
        return tokens;
    }

    /** Adds the token that begins at a place, if one does, and returns the place after it. */
    static int addNext(List<SearchToken> tokens, String text, int at) {
        int point = text.codePointAt(at);
        if (isWithoutSpaces(point)) {
            return addPair(tokens, text, at);
        }
        if (isWord(point)) {
            return addWord(tokens, text, at);
        }
        int next = at + Character.charCount(point);
        if (Character.getType(point) == Character.OTHER_SYMBOL) {
            tokens.add(new SearchToken(text.substring(at, next), at, next, false));
        }
        return next;
    }

    private static int addWord(List<SearchToken> tokens, String text, int start) {
        int end = start;
        while (end < text.length()) {
            int point = text.codePointAt(end);
            if (isWithoutSpaces(point) || !(isWord(point) || isMark(point))) {
                break;
            }
            end += Character.charCount(point);
        }
        String folded = fold(text, start, end);
        if (!folded.isEmpty()) {
            tokens.add(new SearchToken(folded, start, end, false));
        }
        return end;
    }

    /** A character with its neighbour, or the last one alone, so that it is found as well. */
    private static int addPair(List<SearchToken> tokens, String text, int at) {
        int next = afterMarks(text, at + Character.charCount(text.codePointAt(at)));
        boolean last = next >= text.length() || !isWithoutSpaces(text.codePointAt(next));
        int end =
                last ? next : afterMarks(text, next + Character.charCount(text.codePointAt(next)));
        String folded = fold(text, at, end);
        if (!folded.isEmpty()) {
            tokens.add(new SearchToken(folded, at, end, true));
        }
        return next;
    }

    private static int afterMarks(String text, int from) {
        int at = from;
        while (at < text.length() && isMark(text.codePointAt(at))) {
            at += Character.charCount(text.codePointAt(at));
        }
        return at;
    }

    private static boolean isWord(int point) {
        return Character.isLetterOrDigit(point)
                || Character.getType(point) == Character.OTHER_NUMBER
                || Character.getType(point) == Character.LETTER_NUMBER;
    }

    private static boolean isMark(int point) {
        return switch (Character.getType(point)) {
            case Character.NON_SPACING_MARK,
                    Character.COMBINING_SPACING_MARK,
                    Character.ENCLOSING_MARK ->
                    point < 0xFE00 || point > 0xFE0F; // those only select a form of a symbol
            default -> false;
        };
    }

    private static boolean isWithoutSpaces(int point) {
        if (point < 0x0E00 || !Character.isLetter(point)) {
            return false;
        }
        return switch (UnicodeScript.of(point)) {
            case HAN, HIRAGANA, KATAKANA, HANGUL, BOPOMOFO, THAI, LAO, KHMER, MYANMAR -> true;
            default -> point == 'ー'; // the long vowel of Katakana belongs to no script
        };
    }

    private static String fold(String text, int start, int end) {
        if (isAscii(text, start, end)) {
            return cut(text.substring(start, end).toLowerCase(Locale.ROOT));
        }
        String decomposed =
                Normalizer.normalize(text.substring(start, end), Normalizer.Form.NFKD)
                        .toUpperCase(Locale.ROOT) // as ß becomes ss
                        .toLowerCase(Locale.ROOT);
        StringBuilder folded = new StringBuilder();
        decomposed
                .codePoints()
                .filter(point -> !isAccent(point) && (isWord(point) || isMark(point)))
                .forEach(point -> append(folded, point));
        return cut(Normalizer.normalize(folded, Normalizer.Form.NFC));
    }

    private static void append(StringBuilder folded, int point) {
        String plain = Character.isBmpCodePoint(point) ? PLAIN.get((char) point) : null;
        if (plain == null) {
            folded.appendCodePoint(point);
        } else {
            folded.append(plain);
        }
    }

    /** Of Latin, Greek, Cyrillic, Hebrew and Arabic; marks of other scripts tell words apart. */
    private static boolean isAccent(int point) {
        return (point >= 0x0300 && point <= 0x036F)
                || (point >= 0x0591 && point <= 0x05C7)
                || (point >= 0x064B && point <= 0x065F)
                || point == 0x0670;
    }

    private static boolean isAscii(String text, int start, int end) {
        for (int i = start; i < end; i++) {
            if (text.charAt(i) >= 0x80) {
                return false;
            }
        }
        return true;
    }

    private static String cut(String token) {
        if (token.length() <= MAX_LENGTH) {
            return token;
        }
        int end = Character.isHighSurrogate(token.charAt(MAX_LENGTH - 1)) ? 1 : 0;
        return token.substring(0, MAX_LENGTH - end);
    }
}
