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
    private final @Nullable String literal;
    private final boolean plain;
    private final boolean ignoreCase;

    private LineMatcher(Pattern pattern, @Nullable String literal, boolean plain, boolean fold) {
        this.pattern = pattern;
        this.literal = literal;
        this.plain = plain;
        this.ignoreCase = fold;
    }

    static LineMatcher of(String given, boolean fixed, boolean ignoreCase)
            throws BadArgumentException {
        Pattern pattern = compile(given, fixed, ignoreCase ? Pattern.CASE_INSENSITIVE : 0);
        String required =
                fixed
                        ? RequiredLiteral.ofText(given, ignoreCase)
                        : RequiredLiteral.of(given, ignoreCase);
        boolean plain = !ignoreCase && (fixed || RequiredLiteral.isPlain(given));
        return new LineMatcher(pattern, inBytes(required), plain, ignoreCase);
    }

    static Pattern compile(String given, boolean fixed, int flags) throws BadArgumentException {
        try {
            return Pattern.compile(fixed ? Pattern.quote(given) : given, flags);
        } catch (PatternSyntaxException e) {
            throw new BadArgumentException("pattern is not a regex RE2 takes: " + e.getMessage());
        }
    }

    /**
     * Text whose UTF-8 bytes, one character each, every matching line holds; null when unknown. In
     * lower case when case is ignored.
     */
    @Nullable String literal() {
        return literal;
    }

    /** Whether a line with the literal surely matches. */
    boolean plain() {
        return plain;
    }

    boolean ignoreCase() {
        return ignoreCase;
    }

    /** Where the first match begins, or -1. */
    int find(String line, Deadline deadline) {
        CharSequence text = line.length() > LONG_LINE ? new TimedText(line, deadline) : line;
        Matcher matcher = pattern.matcher(text);
        return matcher.find() ? matcher.start() : -1;
    }

    private static @Nullable String inBytes(@Nullable String text) {
        return text == null
                ? null
                : new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }
}
