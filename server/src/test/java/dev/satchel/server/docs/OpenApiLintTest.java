package dev.satchel.server.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.docs.OpenApiTools.Outcome;
import org.junit.jupiter.api.Test;

class OpenApiLintTest {
    @Test
    void redoclyFindsNoErrorAndNoWarning() throws Exception {
        Outcome lint = OpenApiTools.run("redocly", "lint", OpenApiTools.DOCUMENT.toString());

        assertThat(lint.exitCode()).as(lint.output()).isZero();
        assertThat(lint.output()).contains("is valid").doesNotContainPattern("You have \\d+ warn");
    }

    @Test
    void spectralFindsNoErrorAndNoWarning() throws Exception {
        Outcome lint =
                OpenApiTools.run(
                        "spectral",
                        "lint",
                        "--fail-severity=hint",
                        OpenApiTools.DOCUMENT.toString());

        assertThat(lint.exitCode()).as(lint.output()).isZero();
    }
}
