package dev.satchel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LocalCommandTest {
    @Test
    void aNameWithBlanksStaysWholeInQuotesOrBehindABackslash() {
        assertThat(LocalCommand.words("/attach 'a b' \"c d\" e\\ f g"))
                .containsExactly("/attach", "a b", "c d", "e f", "g");
    }

    @Test
    void onlyOurOwnWordsAreCommands() {
        assertThat(LocalCommand.parse("/attach x")).isPresent();
        assertThat(LocalCommand.parse("/sh ls")).isEmpty();
        assertThat(LocalCommand.parse("/attachments are nice")).isEmpty();
        assertThat(LocalCommand.parse("what does /quit do?")).isEmpty();
    }
}
