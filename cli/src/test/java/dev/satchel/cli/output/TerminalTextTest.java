package dev.satchel.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TerminalTextTest {
    private static final String ESC = "\u001b";

    @Test
    void sequencesOfATerminalAreRemovedAsAWhole() {
        String text =
                ESC
                        + "[1;31mred"
                        + ESC
                        + "[0m"
                        + ESC
                        + "]0;title\u0007 and"
                        + ESC
                        + "(B more\u0007";

        assertThat(HumanFormat.removeControls(text)).isEqualTo("red and more");
    }

    @Test
    void aLineThatIsWrittenAgainIsALineOfItsOwn() {
        assertThat(HumanFormat.removeControls("10 %\r50 %\r\ndone\t1\r\n"))
                .isEqualTo("10 %\n50 %\ndone\t1\n");
    }

    @Test
    void aSequenceMayBeginInOnePieceAndEndInAnother() {
        String text = "a" + ESC + "[31mred" + ESC + "]0;t" + ESC + "\\" + ESC + "[0m b\r\nc";
        for (int at = 0; at <= text.length(); at++) {
            TerminalText terminal = new TerminalText();

            assertThat(terminal.plain(text.substring(0, at)) + terminal.plain(text.substring(at)))
                    .as("cut at " + at)
                    .isEqualTo("ared b\nc");
        }
    }

    @Test
    void aSequenceThatNeverEndsIsDropped() {
        TerminalText terminal = new TerminalText();

        assertThat(terminal.plain("a" + ESC + "]0;" + "t".repeat(5_000))).isEqualTo("a");
        assertThat(terminal.plain("b")).isEqualTo("b");
    }
}
