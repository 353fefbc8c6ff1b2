package dev.satchel.tools.grep;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegexSizeTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "TODO|FIXME",
                "^\\d{4}-\\d{2}-\\d{2}T[0-9:.]+Z$",
                "(?:[a-z]{1,63}\\.){1,10}[a-z]{2,24}",
                "[]{1000}a]{1000}",
                "\\x{1000}\\x{1000}\\p{Greek}{20}",
                "\\Q(((a{1000}\\E",
                "a{1000}",
                "{",
                "\\",
                "[",
                ")"
            })
    void usualPatternsAreAcceptable(String pattern) {
        assertThat(RegexSize.isAcceptable(pattern)).isTrue();
    }

    @Test
    void repetitionsCountAsOftenAsTheyAreWrittenOut() {
        assertThat(RegexSize.isAcceptable("a{1000}".repeat(19))).isTrue();
        assertThat(RegexSize.isAcceptable("a{1000}".repeat(21))).isFalse();
        assertThat(RegexSize.isAcceptable("(?:" + "abc".repeat(7) + "){1000}")).isFalse();
        assertThat(RegexSize.isAcceptable("((ab{10}){10}c){100}")).isTrue();
        assertThat(RegexSize.isAcceptable("((ab{10}){100}c){100}")).isFalse();
        assertThat(RegexSize.isAcceptable("(abcdefghijklmnopqrstuvw){0,1000}")).isFalse();
        assertThat(RegexSize.isAcceptable("(abcdefghijklmnopqrstuvw){1000,}")).isFalse();
    }

    @Test
    void nothingHidesRepetitions() {
        String many = "a{1000}".repeat(21);
        assertThat(RegexSize.isAcceptable("\\Q[\\E" + many)).isFalse();
        assertThat(RegexSize.isAcceptable("\\[" + many + "]")).isFalse();
        assertThat(RegexSize.isAcceptable("[^]]" + many)).isFalse();
        assertThat(RegexSize.isAcceptable("[a\\]]" + many)).isFalse();
        assertThat(RegexSize.isAcceptable("\\\\" + many)).isFalse();
    }

    @Test
    void lengthAndDepthAreLimited() {
        assertThat(RegexSize.isAcceptable("a".repeat(20_001))).isFalse();
        assertThat(RegexSize.isAcceptable("(".repeat(300) + "a" + ")".repeat(300))).isFalse();
        assertThat(RegexSize.isAcceptable("(a)".repeat(1_000))).isTrue();
    }
}
