package dev.satchel.runner.tool;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequiredLiteralTest {
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "needle, needle",
                "^import .*foo$, \"import \"",
                "a\\.b, a.b",
                "ab+cde, cde",
                "colou?r, colo",
                "abc*, ab",
                "\"x{2,3}yz\", yz",
                "(foo|bar)bazz, bazz",
                "[a-z]+_id, _id",
                "\\bword\\b, word",
                "\\d+ ms, \" ms\"",
                "a{b, b",
            })
    void theLongestSureTextIsFound(String pattern, String literal) {
        assertThat(RequiredLiteral.of(pattern, false)).containsExactly(literal);
    }

    @ParameterizedTest
    @CsvSource({
        "foo|",
        "foo|.*",
        "(?i)foo",
        "\\Qa.b\\E",
        ".*",
        "[abc]",
        "a?",
        "\\x41bc",
        "(a(?i)b)cd",
        "x\\"
    })
    void whereNothingIsSureNothingIsSaid(String pattern) {
        assertThat(RequiredLiteral.of(pattern, false)).isEmpty();
    }

    @Test
    void eachAlternativeHasItsOwn() {
        assertThat(RequiredLiteral.of("error|warn.*ing|\\bfatal", false))
                .containsExactly("error", "warn", "fatal");
    }

    @Test
    void ignoringCaseLeavesOutLettersWithRelatives() {
        assertThat(RequiredLiteral.of("Kelvin", true)).containsExactly("elvin");
        assertThat(RequiredLiteral.of("übergross", true)).containsExactly("bergro");
    }

    @Test
    void onlyTextWithoutOperatorsIsPlain() {
        assertThat(RequiredLiteral.isPlain("a\\.b c")).isTrue();
        for (String pattern : new String[] {"^a", "a$", "a+", "a.b", "a|b", "(a)", "a\\b", "ab?"}) {
            assertThat(RequiredLiteral.isPlain(pattern)).as(pattern).isFalse();
        }
    }

    @Test
    void randomRegexesNeverMatchATextWithoutTheirLiteral() {
        Random random = new Random(7);
        int checked = 0;
        for (int i = 0; i < 20_000; i++) {
            String pattern = random(random, "ab|()[]*+?{}1,\\.^$d", 8);
            List<String> literals = RequiredLiteral.of(pattern, false);
            if (literals.isEmpty() || !compiles(pattern)) {
                continue;
            }
            String text = random(random, "aabb1{},.d", 12);
            if (Pattern.compile(pattern).matcher(text).find()) {
                assertThat(literals).as(pattern).anyMatch(text::contains);
                checked++;
            } else {
                assertThat(RequiredLiteral.isPlain(pattern) && text.contains(literals.getFirst()))
                        .as(pattern)
                        .isFalse();
            }
        }
        assertThat(checked).isGreaterThan(100);
    }

    private static boolean compiles(String pattern) {
        try {
            Pattern.compile(pattern);
            return true;
        } catch (PatternSyntaxException _) {
            return false;
        }
    }

    private static String random(Random random, String alphabet, int maxLength) {
        StringBuilder text = new StringBuilder();
        int length = 1 + random.nextInt(maxLength);
        for (int i = 0; i < length; i++) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return text.toString();
    }
}
