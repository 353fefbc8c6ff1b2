package dev.satchel.runner.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderFilenamesTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "attachment; filename=\"a b.txt\"|a b.txt",
                "attachment; filename=plain.csv|plain.csv",
                "attachment; filename=\"x\"; filename*=UTF-8''na%C3%AFve+1.txt|naïve+1.txt",
                "attachment; filename=\"say \\\"hi\\\".txt\"|say \"hi\".txt",
                "attachment; filename=\"../../etc/passwd\"|passwd",
                "attachment; filename*=UTF-8''..%2F..%2Fx%0Ay|x_y"
            })
    void nameIsTakenAsOneHarmlessSegment(String header, String name) {
        assertThat(HeaderFilenames.fromDisposition(header)).contains(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"inline", "attachment; filename=\"..\"", "attachment; filename=\"a/\""})
    void headerWithoutAUsableNameGivesNone(String header) {
        assertThat(HeaderFilenames.fromDisposition(header)).isEmpty();
    }

    @Test
    void longNameKeepsItsEnd() {
        String header = "attachment; filename=\"" + "x".repeat(300) + ".pdf\"";
        assertThat(HeaderFilenames.fromDisposition(header))
                .get()
                .asString()
                .hasSize(100)
                .endsWith(".pdf");
    }
}
