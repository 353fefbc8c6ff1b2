package dev.satchel.runner.tool;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.satchel.runner.regex.LineFilter;
import dev.satchel.runner.regex.RegexSize;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides whether a line matches, with RE2: time grows with the line and never explodes. */
final class LineMatcher {
    /** Lines beyond this watch the clock while they are matched. */
    private static final int LONG_LINE = 16 * 1024;

    private final Pattern pattern;
    private final List<ByteSearch> literals;
    private final boolean plain;
    private final @Nullable LineFilter filter;

    private LineMatcher(
            Pattern pattern,
            List<ByteSearch> literals,
            boolean plain,
            @Nullable LineFilter filter) {
        this.pattern = pattern;
        this.literals = literals;
        this.plain = plain;
        this.filter = filter;
    }

    static LineMatcher of(String given, boolean fixed, boolean ignoreCase)
            throws BadArgumentException {
        Pattern pattern = compile(given, fixed, ignoreCase ? Pattern.CASE_INSENSITIVE : 0);
        List<String> required =
                fixed
                        ? RequiredLiteral.ofText(given, ignoreCase)
                        : RequiredLiteral.of(given, ignoreCase);
        boolean plain = !ignoreCase && (fixed || RequiredLiteral.isPlain(given));
        List<ByteSearch> literals =
                required.stream()
                        .map(text -> new ByteSearch(text.getBytes(UTF_8), ignoreCase))
                        .toList();
        LineFilter filter = fixed ? null : LineFilter.of(given, ignoreCase).orElse(null);
        return new LineMatcher(pattern, literals, plain, filter);
    }

    static Pattern compile(String given, boolean fixed, int flags) throws BadArgumentException {
        String regex = fixed ? Pattern.quote(given) : given;
        if (!RegexSize.isModest(regex)) {
            throw new BadArgumentException("pattern is too large a regex; search for less at once");
        }
        try {
            return Pattern.compile(regex, flags);
        } catch (PatternSyntaxException e) {
            throw new BadArgumentException("pattern is not a regex RE2 takes: " + e.getMessage());
        }
    }

    /** Every matching line holds what one of these finds; none when that is unknown. */
    List<ByteSearch> literals() {
        return literals;
    }

    /** Whether a line with the literal surely matches. */
    boolean plain() {
        return plain;
    }

    /** Tells lines that cannot match; none where it would not know. */
    @Nullable LineFilter filter() {
        return filter;
    }

    /** Where the first match begins, or -1. */
    int find(String line, Deadline deadline) {
        CharSequence text = line.length() > LONG_LINE ? new TimedText(line, deadline) : line;
        Matcher matcher = pattern.matcher(text);
        return matcher.find() ? matcher.start() : -1;
    }
}
