package dev.satchel.runner.model.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ThinkTagParserTest {
    private final StringBuilder text = new StringBuilder();
    private final StringBuilder thinking = new StringBuilder();
    private final ThinkTagParser parser = new ThinkTagParser(text::append, thinking::append);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "<think>why</think>because     | why    | because",
                "<think>a</think><think>b</think>c | ab | c",
                "<thought>why</thought>because | why    | because",
                "because <think>why</think>    | -      | because <think>why</think>",
                "<think>a < b </thin </think>c | a < b </thin | c",
                "<thinker>                     | -      | <thinker>",
                "<think>never closed           | never closed | -"
            })
    void tagsAtTheBeginningAreThinkingHoweverTheyAreSplit(
            String whole, @Nullable String thought, @Nullable String answer) throws IOException {
        for (int size = 1; size <= whole.length(); size++) {
            ThinkTagParser split = new ThinkTagParser(text::append, thinking::append);
            text.setLength(0);
            thinking.setLength(0);
            for (int i = 0; i < whole.length(); i += size) {
                split.add(whole.substring(i, Math.min(whole.length(), i + size)));
            }
            split.end();
            assertThat(thinking.toString().strip()).isEqualTo(thought == null ? "" : thought);
            assertThat(text).hasToString(answer == null ? "" : answer);
        }
    }

    @Test
    void emptyLinesAfterTheThinkingAreDropped() throws IOException {
        parser.add("\n<think>why</think>\n\n");
        parser.add("\nbecause");
        parser.end();
        assertThat(text).hasToString("because");
    }

    @Test
    void textIsPassedOnAtOnceWhenItCannotBeATag() throws IOException {
        parser.add("He");
        assertThat(text).hasToString("He");
    }
}
