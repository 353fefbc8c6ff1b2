package dev.satchel.tools.grep;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Estimates how large a regex becomes when RE2/J writes out its counted repetitions. A few
 * kilobytes of {@code a{1000}} would take all memory before any deadline is checked. The estimate
 * may be too high, never too low.
 */
final class RegexSize {
    private static final long MAX_SIZE = 20_000;

    /** RE2/J processes groups recursively. */
    private static final int MAX_DEPTH = 200;

    private static final Pattern COUNTS = Pattern.compile("\\{(\\d{1,9})(,(\\d{0,9}))?}");

    private final String pattern;
    private final Deque<Long> groupStarts = new ArrayDeque<>(); // sizes where open groups began
    private int position;
    private long size;
    private long last; // the size of what a repetition would repeat

    private RegexSize(String pattern) {
        this.pattern = pattern;
    }

    /** Whether the regex can be compiled in little time and memory. */
    static boolean isAcceptable(String pattern) {
        return pattern.length() <= MAX_SIZE && new RegexSize(pattern).read();
    }

    private boolean read() {
        while (position < pattern.length()) {
            step(pattern.charAt(position));
            if (size > MAX_SIZE || groupStarts.size() > MAX_DEPTH) {
                return false;
            }
        }
        return true;
    }

    private void step(char c) {
        switch (c) {
            case '(' -> {
                groupStarts.push(size);
                unit(position + 1);
            }
            case ')' -> {
                unit(position + 1);
                last = size - (groupStarts.isEmpty() ? 0 : groupStarts.pop());
            }
            case '*', '+', '?' -> {
                long repeated = last;
                unit(position + 1);
                last = repeated + 1;
            }
            case '[' -> unit(classEnd());
            case '\\' -> unit(escapeEnd());
            case '{' -> repetition();
            default -> unit(position + 1);
        }
    }

    /** One unit of the regex; its size is the number of characters, and 1 when it is repeated. */
    private void unit(int end) {
        size += end - position;
        position = end;
        last = 1;
    }

    private void repetition() {
        Matcher counts = COUNTS.matcher(pattern).region(position, pattern.length());
        if (!counts.lookingAt()) {
            unit(position + 1); // RE2/J reads it as text
            return;
        }
        String most = counts.group(3);
        long times = Long.parseLong(most == null || most.isEmpty() ? counts.group(1) : most);
        size += last * times;
        last += last * times;
        position = counts.end();
    }

    /** A bracket right at the beginning does not end a class. */
    private int classEnd() {
        int at = position + 1;
        at += pattern.startsWith("^", at) ? 1 : 0;
        at += pattern.startsWith("]", at) ? 1 : 0;
        while (at < pattern.length() && pattern.charAt(at) != ']') {
            at += pattern.charAt(at) == '\\' ? 2 : 1;
        }
        return Math.min(at + 1, pattern.length());
    }

    /** A quotation, a character by its number, a class by its name, or one character. */
    private int escapeEnd() {
        String end =
                pattern.startsWith("\\Q", position)
                        ? "\\E"
                        : pattern.startsWith("{", position + 2) && "xpP".indexOf(kind()) >= 0
                                ? "}"
                                : "";
        int found = end.isEmpty() ? position + 2 : pattern.indexOf(end, position + 2);
        return found < 0 ? pattern.length() : Math.min(found + end.length(), pattern.length());
    }

    private char kind() {
        return pattern.charAt(position + 1);
    }
}
