package dev.satchel.runner.tool;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Matches that may span lines, in files small enough to be held whole. */
final class MultilineSearch {
    private static final int MAX_BYTES = 8 * 1024 * 1024;

    private final Pattern pattern;

    private MultilineSearch(Pattern pattern) {
        this.pattern = pattern;
    }

    static MultilineSearch of(String given, boolean fixed, boolean ignoreCase)
            throws BadArgumentException {
        int flags = Pattern.MULTILINE | Pattern.DOTALL;
        flags |= ignoreCase ? Pattern.CASE_INSENSITIVE : 0;
        return new MultilineSearch(LineMatcher.compile(given, fixed, flags));
    }

    /** Tells every line that a match touches, once. */
    void scan(String shown, TextFile file, Deadline deadline, LineScanner.Hits hits)
            throws IOException, BadArgumentException {
        byte[] bytes = file.from(0).readNBytes(MAX_BYTES + 1);
        if (bytes.length > MAX_BYTES) {
            throw new BadArgumentException(
                    "multiline searches files up to 8 MB, " + shown + " is larger");
        }
        String text = new String(bytes, StandardCharsets.UTF_8).replace("\r\n", "\n");
        Matcher matcher = pattern.matcher(new TimedText(text, deadline));
        int told = 0; // everything before this offset has been told or passed over
        long number = 1;
        while (matcher.find()) {
            while (told < text.length() && told <= Math.max(matcher.start(), matcher.end() - 1)) {
                int feed = text.indexOf('\n', told);
                int end = feed < 0 ? text.length() : feed;
                boolean touched = end >= matcher.start();
                if (touched && !hits.hit(number, text.substring(told, end), 0)) {
                    return;
                }
                told = end + 1;
                number++;
            }
        }
    }
}
