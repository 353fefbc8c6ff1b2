package dev.satchel.runner.regex;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How large a regex becomes once its counted repeats are written out, which is what RE2 does: a few
 * kilobytes of {@code a{1000}} take all the memory there is before any clock is asked. It may count
 * too much, never too little.
 */
public final class RegexSize {
    /** More than anybody writes by hand, and compiled in a moment. */
    private static final long LARGEST = 20_000;

    /** RE2 works through groups by recursion. */
    private static final int DEEPEST = 200;

    private static final Pattern COUNTS = Pattern.compile("\\{(\\d{1,9})(,(\\d{0,9}))?}");

    private final String pattern;
    private final Deque<Long> outside = new ArrayDeque<>(); // sizes where open groups began
    private int position;
    private long size;
    private long last; // of what a repeat would repeat

    private RegexSize(String pattern) {
        this.pattern = pattern;
    }

    /** Whether it can be compiled without harm. */
    public static boolean isModest(String pattern) {
        return pattern.length() <= LARGEST && new RegexSize(pattern).read();
    }

    private boolean read() {
        while (position < pattern.length()) {
            step(pattern.charAt(position));
            if (size > LARGEST || outside.size() > DEEPEST) {
                return false;
            }
        }
        return true;
    }

    private void step(char c) {
        switch (c) {
            case '(' -> {
                outside.push(size);
                one(position + 1);
            }
            case ')' -> {
                one(position + 1);
                last = size - (outside.isEmpty() ? 0 : outside.pop());
            }
            case '*', '+', '?' -> {
                long repeated = last;
                one(position + 1);
                last = repeated + 1;
            }
            case '[' -> one(classEnd());
            case '\\' -> one(escapeEnd());
            case '{' -> repeat();
            default -> one(position + 1);
        }
    }

    /** What ends there costs a unit for every character, and once when it is repeated. */
    private void one(int end) {
        size += end - position;
        position = end;
        last = 1;
    }

    private void repeat() {
        Matcher counts = COUNTS.matcher(pattern).region(position, pattern.length());
        if (!counts.lookingAt()) {
            one(position + 1); // RE2 takes it as text
            return;
        }
        String most = counts.group(3);
        long times = Long.parseLong(most == null || most.isEmpty() ? counts.group(1) : most);
        size += last * times;
        last += last * times;
        position = counts.end();
    }

    /** A bracket right at its begin does not end a class. */
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
