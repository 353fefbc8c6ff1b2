package dev.satchel.runner.tool;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Finds text that every match of a regex must hold, so that a file can be searched for that first.
 * It reads the regex roughly and gives up early: no literal is slow, a wrong one would lose
 * matches.
 */
final class RequiredLiteral {
    private static final int MAX_ALTERNATIVES = 8;
    private static final String ZERO_WIDTH_OR_CLASS = "dDwWsSbBAznrtfva";

    private final String pattern;
    private final List<List<String>> alternatives = new ArrayList<>();
    private List<String> runs = new ArrayList<>();
    private final StringBuilder run = new StringBuilder();
    private boolean plain = true;
    private int position;

    private RequiredLiteral(String pattern) {
        this.pattern = pattern;
    }

    /**
     * Texts of which every match holds at least one, one for each alternative, in lower case when
     * case is ignored; none when unsure.
     */
    static List<String> of(String pattern, boolean ignoreCase) {
        RequiredLiteral reading = new RequiredLiteral(pattern);
        return reading.read() ? longest(reading.alternatives, ignoreCase) : List.of();
    }

    /** The same for text that is no regex. */
    static List<String> ofText(String text, boolean ignoreCase) {
        return longest(List.of(List.of(text)), ignoreCase);
    }

    /** Whether a regex is nothing but text, so that finding the text is finding a match. */
    static boolean isPlain(String pattern) {
        RequiredLiteral reading = new RequiredLiteral(pattern);
        return reading.read() && reading.plain && reading.alternatives.getFirst().size() == 1;
    }

    private boolean read() {
        while (position < pattern.length()) {
            if (!readAtom(pattern.charAt(position))) {
                return false;
            }
        }
        nextAlternative();
        return alternatives.size() <= MAX_ALTERNATIVES;
    }

    private void nextAlternative() {
        flush();
        alternatives.add(runs);
        runs = new ArrayList<>();
    }

    private boolean readAtom(char c) {
        switch (c) {
            case ')' -> {
                return false;
            }
            case '|' -> {
                plain = false;
                nextAlternative();
            }
            case '\\' -> {
                return readEscape();
            }
            case '(' -> {
                return skipGroup();
            }
            case '[' -> {
                return skipClass();
            }
            case '*', '?' -> dropLast();
            case '{' -> {
                dropLast();
                position = Math.max(position, pattern.indexOf('}', position)) + 1;
                return true;
            }
            case '.', '^', '$', '+' -> flushSpecial(); // a+ holds an a, and anything may follow
            default -> run.append(c);
        }
        position++;
        return true;
    }

    private boolean readEscape() {
        if (position + 1 >= pattern.length()) {
            return false;
        }
        char escaped = pattern.charAt(position + 1);
        position += 2;
        if (ZERO_WIDTH_OR_CLASS.indexOf(escaped) >= 0) {
            flushSpecial();
            return true;
        }
        run.append(escaped);
        return escaped < 0x80 && !Character.isLetterOrDigit(escaped);
    }

    private boolean skipGroup() {
        flushSpecial();
        int depth = 0;
        while (position < pattern.length()) {
            switch (pattern.charAt(position)) {
                case '\\' -> {
                    if (pattern.startsWith("\\Q", position)) {
                        return false;
                    }
                    position++;
                }
                case '[' -> {
                    if (!skipClass()) {
                        return false;
                    }
                    continue;
                }
                case '(' -> {
                    depth++;
                    if (setsFlags()) {
                        return false;
                    }
                }
                case ')' -> depth--;
                default -> {}
            }
            position++;
            if (depth == 0) {
                return true;
            }
        }
        return false;
    }

    private boolean setsFlags() {
        return pattern.startsWith("(?", position)
                && !pattern.startsWith("(?:", position)
                && !pattern.startsWith("(?P<", position);
    }

    /** A class that holds brackets of its own is too clever for us. */
    private boolean skipClass() {
        flushSpecial();
        int start = position + 1;
        if (pattern.startsWith("^", start)) {
            start++;
        }
        int end = pattern.indexOf(']', start + 1);
        int inner = pattern.indexOf('[', start);
        boolean escapes = pattern.indexOf('\\', start) >= 0 && pattern.indexOf('\\', start) < end;
        if (end < 0 || escapes || (inner >= 0 && inner < end)) {
            return false;
        }
        position = end + 1;
        return true;
    }

    private void dropLast() {
        if (!run.isEmpty()) {
            run.setLength(run.offsetByCodePoints(run.length(), -1));
        }
        flushSpecial();
    }

    private void flushSpecial() {
        plain = false;
        flush();
    }

    private void flush() {
        if (!run.isEmpty()) {
            runs.add(run.toString());
            run.setLength(0);
        }
    }

    private static List<String> longest(List<List<String>> alternatives, boolean ignoreCase) {
        List<String> literals = new ArrayList<>();
        for (List<String> runs : alternatives) {
            String literal = longestOf(runs, ignoreCase);
            if (literal == null) {
                return List.of();
            }
            literals.add(literal);
        }
        return literals;
    }

    private static @Nullable String longestOf(List<String> runs, boolean ignoreCase) {
        String best = "";
        for (String run : runs) {
            // k and s have relatives outside ASCII that match them when case is ignored
            String[] pieces = ignoreCase ? run.split("[^\\x00-\\x7F]|[kKsS]") : new String[] {run};
            for (String piece : pieces) {
                best = piece.length() > best.length() ? piece : best;
            }
        }
        // what is no UTF-8 on disk is searched as U+FFFD, so that says nothing about the bytes
        boolean unsure = best.indexOf('\n') >= 0 || best.indexOf('\ufffd') >= 0;
        if (best.isEmpty() || unsure || !StandardCharsets.UTF_8.newEncoder().canEncode(best)) {
            return null;
        }
        return ignoreCase ? best.toLowerCase(Locale.ROOT) : best;
    }
}
