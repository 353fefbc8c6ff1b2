package dev.satchel.cli.chat;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SlashCommandTest {
    @Test
    void quotesAndBackslashesKeepSpacesInNames() {
        assertThat(SlashCommand.words("/attach 'a b' \"c d\" e\\ f g"))
                .containsExactly("/attach", "a b", "c d", "e f", "g");
    }

    @Test
    void onlyKnownWordsAreCommands() {
        assertThat(SlashCommand.parse("/attach x")).isPresent();
        assertThat(SlashCommand.parse("/sh ls")).isEmpty();
        assertThat(SlashCommand.parse("/attachments are nice")).isEmpty();
        assertThat(SlashCommand.parse("what does /quit do?")).isEmpty();
    }
}
