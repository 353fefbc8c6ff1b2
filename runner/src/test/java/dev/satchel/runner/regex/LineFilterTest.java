package dev.satchel.runner.regex;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LineFilterTest {
    private static final List<String> LINES =
            List.of(
                    "",
                    "a",
                    "abc",
                    "ABC",
                    "abc\r",
                    "foo bar",
                    "x=12 y=345",
                    "2026-11-15T19:00:00Z",
                    "Maß und Größe",
                    "\u212Aelvin ma\u017F\u017F",
                    "tab\there",
                    "a.b*c[d]",
                    "aaaaaaaaaaaaaaaaaaaa",
                    "😀 smile",
                    "end");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "b$",
                "^a",
                "^$",
                "^abc$",
                "abc|end",
                "(foo|x) ?b?",
                "[a-c]{2,3}$",
                "\\d{3}",
                "\\d{4}-\\d\\d-\\d\\dT",
                "[^a-z ]{5}",
                ".{5}",
                "^.{15}$",
                "\\w+\\s\\w+$",
                "\\S+=\\d+ ",
                "a.b\\*c\\[d\\]",
                "[ß]",
                "gr[öo]ße",
                "(?:a{3}){4,}",
                "a+?b??c*?",
                "\\bfoo\\b",
                "k",
                "s{2}",
                "ſ",
                "[k-l]elvin",
                "\\tHERE",
                "(?P<year>\\d+)-",
                "x[]a]",
                "[a-]b",
                "[^]]{14}",
                "😀",
                "^\\W",
                "(a|b|c)*d$",
                "\\x41",
                "\\pL",
                "[[:alpha:]]+",
                "(?i)ABC",
                "a{,2}",
                "z{0}"
            })
    void noLineThatMatchesIsHeldBack(String regex) {
        for (boolean ignoreCase : new boolean[] {false, true}) {
            Pattern pattern = Pattern.compile(regex, ignoreCase ? Pattern.CASE_INSENSITIVE : 0);
            LineFilter.of(regex, ignoreCase)
                    .ifPresent(
                            filter -> LINES.forEach(line -> requirePassed(filter, pattern, line)));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"q{3}", "^b", "\\d{9}", "[x-z]$", "(foo|bar)z"})
    void mostOthersAre(String regex) {
        LineFilter filter = LineFilter.of(regex, false).orElseThrow();
        byte[] text = String.join("\n", LINES).getBytes(UTF_8);

        assertThat(filter.find(text, 0, text.length)).isEqualTo(-1);
    }

    @Test
    void thePlaceLiesInTheFirstLineThatMayMatch() {
        LineFilter filter = LineFilter.of("\\d{3}$", false).orElseThrow();
        byte[] text = "one\ntwo 22\nthree 333\r\nfour 4444".getBytes(UTF_8);

        int first = filter.find(text, 0, text.length);
        assertThat(first).isBetween(11, 21);
        assertThat(filter.find(text, 22, text.length)).isEqualTo(text.length - 1);
    }

    /** Regexes and lines of few letters, so that they meet; RE2 is the judge. */
    @Test
    void randomRegexesHoldNothingBackThatMatches() {
        Random random = new Random(7);
        String[] pieces = {
            "a", "b", "é", ".", "[ab]", "[^a]", "\\w", "\\W", "(", ")", "|", "*", "+", "?", "{2}",
            "{1,3}", "^", "$", "\\b", "(?:", "\\d", "1", " ", "ß"
        };
        int read = 0;
        for (int i = 0; i < 20_000; i++) {
            StringBuilder regex = new StringBuilder();
            for (int length = 1 + random.nextInt(8); length > 0; length--) {
                regex.append(pieces[random.nextInt(pieces.length)]);
            }
            boolean ignoreCase = random.nextBoolean();
            Pattern pattern = compiled(regex.toString(), ignoreCase);
            if (pattern == null) {
                continue;
            }
            LineFilter filter = LineFilter.of(regex.toString(), ignoreCase).orElse(null);
            if (filter == null) {
                continue;
            }
            read++;
            for (int line = 0; line < 10; line++) {
                requirePassed(filter, pattern, line(random));
            }
        }
        assertThat(read).isGreaterThan(1_000);
    }

    /** Long enough to be walked in lanes, which must not change what is found, nor the order. */
    @Test
    void longTextsAreFilteredAsTheirLinesAre() {
        Random random = new Random(17);
        String[] regexes = {"a{4}", "b$", "^a1", "[ab]*a[ab]{9}é", "ß ?ß ?ß", "A.{3}1$", "^$", "q"};
        for (int round = 0; round < 60; round++) {
            String regex = regexes[round % regexes.length];
            StringBuilder text = new StringBuilder();
            int words = 1 + random.nextInt(40);
            while (text.length() < 20_000 + random.nextInt(60_000)) {
                for (int word = random.nextInt(words); word >= 0; word--) {
                    text.append(line(random));
                }
                text.append('\n');
            }
            text.setLength(text.length() - random.nextInt(3));
            byte[] bytes = text.toString().getBytes(UTF_8);
            assertThat(passed(LineFilter.of(regex, false).orElseThrow(), bytes, bytes.length))
                    .as(regex)
                    .containsAll(passed(LineFilter.of(regex, false).orElseThrow(), bytes, 1));
        }
    }

    /** Where the lines begin that pass, when lines are asked about in stretches of this size. */
    private static List<Integer> passed(LineFilter filter, byte[] bytes, int stretch) {
        List<Integer> begins = new ArrayList<>();
        int at = 0;
        while (at < bytes.length) {
            int to = lineEnd(bytes, Math.min(bytes.length - 1, at + stretch - 1));
            int found = filter.find(bytes, at, to);
            if (found >= 0) {
                int begin = found;
                while (begin > 0 && bytes[begin - 1] != '\n') {
                    begin--;
                }
                begins.add(begin);
            }
            at = found < 0 ? to : lineEnd(bytes, found);
        }
        return begins;
    }

    private static int lineEnd(byte[] bytes, int at) {
        int end = at;
        while (end < bytes.length && bytes[end] != '\n') {
            end++;
        }
        return Math.min(end + 1, bytes.length);
    }

    @Test
    void bytesThatAreNoUtf8AreSearchedAsTheyAreShown() {
        Random random = new Random(11);
        Pattern pattern = Pattern.compile("a.{2}b|[^a]{3}c|\\Wa");
        LineFilter filter = LineFilter.of("a.{2}b|[^a]{3}c|\\Wa", false).orElseThrow();
        for (int i = 0; i < 20_000; i++) {
            byte[] line = new byte[random.nextInt(12)];
            for (int at = 0; at < line.length; at++) {
                line[at] = (byte) "abc\u00c3\u00a4\u00f0\u009f\u00ff".charAt(random.nextInt(8));
            }
            if (pattern.matcher(new String(line, UTF_8)).find()) {
                assertThat(filter.find(line, 0, line.length))
                        .as(new String(line, ISO_8859_1))
                        .isNotEqualTo(-1);
            }
        }
    }

    @Test
    void aRegexOfTooManyStatesIsLeftToOthers() {
        assertThat(LineFilter.of("(a{500}){500}", false)).isEmpty();
    }

    @Test
    void aRegexThatWouldGrowWithoutEndStillHoldsNothingBack() {
        String regex = "[ab]*a[ab]{16}c";
        Random random = new Random(3);
        Pattern pattern = Pattern.compile(regex);
        LineFilter filter = LineFilter.of(regex, false).orElseThrow();
        for (int i = 0; i < 300; i++) {
            StringBuilder line = new StringBuilder();
            for (int length = 0; length < 2_000; length++) {
                line.append("abc".charAt(random.nextInt(i % 3 == 0 ? 3 : 2)));
            }
            requirePassed(filter, pattern, line.toString());
        }
    }

    private static @org.jspecify.annotations.Nullable Pattern compiled(
            String regex, boolean ignoreCase) {
        try {
            return Pattern.compile(regex, ignoreCase ? Pattern.CASE_INSENSITIVE : 0);
        } catch (PatternSyntaxException e) {
            return null;
        }
    }

    private static String line(Random random) {
        StringBuilder line = new StringBuilder();
        for (int length = random.nextInt(10); length > 0; length--) {
            line.append("aabbABéß1 \u00df".charAt(random.nextInt(11)));
        }
        return line.toString();
    }

    private static void requirePassed(LineFilter filter, Pattern pattern, String line) {
        String shown = line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
        if (pattern.matcher(shown).find()) {
            byte[] bytes = (line + "\n").getBytes(UTF_8);
            assertThat(filter.find(bytes, 0, bytes.length))
                    .as("%s in %s", pattern, line)
                    .isBetween(0, bytes.length - 1);
        }
    }
}
