package dev.satchel.runner.tool;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Decides whether a line matches, with RE2: time grows with the line and never explodes. */
final class LineMatcher {
    /** Lines beyond this watch the clock while they are matched. */
    private static final int LONG_LINE = 16 * 1024;

    private final Pattern pattern;
    private final @Nullable ByteSearch literal;
    private final boolean plain;

    private LineMatcher(Pattern pattern, @Nullable ByteSearch literal, boolean plain) {
        this.pattern = pattern;
        this.literal = literal;
        this.plain = plain;
    }

    static LineMatcher of(String given, boolean fixed, boolean ignoreCase)
            throws BadArgumentException {
        Pattern pattern = compile(given, fixed, ignoreCase ? Pattern.CASE_INSENSITIVE : 0);
        String required =
                fixed
                        ? RequiredLiteral.ofText(given, ignoreCase)
                        : RequiredLiteral.of(given, ignoreCase);
        boolean plain = !ignoreCase && (fixed || RequiredLiteral.isPlain(given));
        byte[] bytes = required == null ? null : required.getBytes(StandardCharsets.UTF_8);
        ByteSearch literal = bytes == null ? null : new ByteSearch(bytes, ignoreCase);
        return new LineMatcher(pattern, literal, plain);
    }

    static Pattern compile(String given, boolean fixed, int flags) throws BadArgumentException {
        try {
            return Pattern.compile(fixed ? Pattern.quote(given) : given, flags);
        } catch (PatternSyntaxException e) {
            throw new BadArgumentException("pattern is not a regex RE2 takes: " + e.getMessage());
        }
    }

    /** Finds what every matching line holds; null when that is unknown. */
    @Nullable ByteSearch literal() {
        return literal;
    }

    /** Whether a line with the literal surely matches. */
    boolean plain() {
        return plain;
    }

    /** Where the first match begins, or -1. */
    int find(String line, Deadline deadline) {
        CharSequence text = line.length() > LONG_LINE ? new TimedText(line, deadline) : line;
        Matcher matcher = pattern.matcher(text);
        return matcher.find() ? matcher.start() : -1;
    }
}
