package dev.satchel.tools.grep;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.satchel.tools.InvalidArgumentException;

/** A search pattern. RE2/J matches in time linear to the text, whatever the pattern is. */
record Regex(
        String text,
        boolean fixed,
        boolean ignoreCase,
        boolean multiline,
        boolean literal,
        Pattern compiled) {
    private static final String METACHARACTERS = "\\.+*?()|[]{}^$";
    private static final int LONG_LINE = 16 * 1024;

    static Regex compile(String text, boolean fixed, boolean ignoreCase, boolean multiline)
            throws InvalidArgumentException {
        String regex = fixed ? Pattern.quote(text) : text;
        if (!RegexSize.isAcceptable(regex)) {
            throw new InvalidArgumentException(
                    "pattern is too large a regex; search for less at once");
        }
        int flags = ignoreCase ? Pattern.CASE_INSENSITIVE : 0;
        flags |= multiline ? Pattern.MULTILINE | Pattern.DOTALL : 0;
        boolean literal = fixed || text.chars().noneMatch(c -> METACHARACTERS.indexOf(c) >= 0);
        try {
            Pattern compiled = Pattern.compile(regex, flags);
            return new Regex(text, fixed, ignoreCase, multiline, literal, compiled);
        } catch (PatternSyntaxException e) {
            throw new InvalidArgumentException(
                    "pattern is not a regex RE2 takes: " + e.getMessage());
        }
    }

    /** Where the first match of a line begins, or -1. */
    int find(String line, Deadline deadline) {
        if (literal && !ignoreCase) {
            return line.indexOf(text);
        }
        Matcher matcher = matcher(line, deadline);
        return matcher.find() ? matcher.start() : -1;
    }

    /** On a long line the matcher checks the deadline. */
    Matcher matcher(String line, Deadline deadline) {
        return compiled.matcher(
                line.length() > LONG_LINE ? new TimedCharSequence(line, deadline) : line);
    }

    /** A long text that checks a deadline while it is read. */
    static final class TimedCharSequence implements CharSequence {
        private static final int CHECK_EVERY = 1 << 14;

        private final String text;
        private final Deadline deadline;
        private int reads;

        TimedCharSequence(String text, Deadline deadline) {
            this.text = text;
            this.deadline = deadline;
        }

        @Override
        public char charAt(int index) {
            if (++reads % CHECK_EVERY == 0) {
                deadline.check();
            }
            return text.charAt(index);
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.subSequence(start, end);
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
