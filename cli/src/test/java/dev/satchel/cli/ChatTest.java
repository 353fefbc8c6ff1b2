package dev.satchel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.cli.common.ExitCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code satchel chat} in a terminal. */
@Timeout(180)
class ChatTest {
    private static final String PROMPT = "you> ";

    private static SatchelProcess satchel;

    @BeforeAll
    static void start() throws IOException {
        satchel = SatchelProcess.start();
    }

    @AfterAll
    static void stop() {
        satchel.close();
    }

    @Test
    void eachMessageIsAnsweredUntilTheChatEnds() throws Exception {
        try (PseudoTerminal terminal = chat()) {
            terminal.await(PROMPT);
            terminal.line("/sh echo fif''teen");
            terminal.await("✓");
            terminal.await("fifteen");
            terminal.await(PROMPT);
            terminal.line("/sh echo six''teen");
            terminal.await("sixteen");
            terminal.await(PROMPT);
            terminal.ctrlD();

            assertThat(terminal.end()).isZero();
            assertThat(terminal.seen()).contains("Continue with: satchel chat ");
        }
    }

    @Test
    void anAgentIsChosenInTheChatAndTheChatKeepsIt() throws Exception {
        Path spec = Files.createTempFile("agent", ".json");
        for (String name : List.of("poet", "clerk")) {
            Files.writeString(
                    spec,
                    "{\"name\":\"%s\",\"variables\":{\"ROLE\":\"the %s\"}}".formatted(name, name));
            assertThat(satchel.run("agents", "create", spec.toString()).code()).isZero();
        }
        Files.delete(spec);
        try (PseudoTerminal terminal = chat("--agent", "poet")) {
            terminal.await(PROMPT);
            terminal.line("/sh echo I am $ROLE");
            terminal.await("I am the poet");
            terminal.await(PROMPT);
            terminal.line("/agent unknown");
            terminal.await("no agent unknown");
            terminal.await(PROMPT);
            terminal.line("/agent clerk");
            terminal.await("The agent clerk answers from now on.");
            terminal.await(PROMPT);
            terminal.line("/sh echo I am $ROLE");
            terminal.await("I am the clerk");
            terminal.await(PROMPT);
            terminal.line("/quit");
            assertThat(terminal.end()).isZero();
        }
        assertThat(satchel.run("send", "-c", "last", "/sh echo I am $ROLE").out())
                .contains("I am the clerk");
        assertThat(satchel.run("send", "-c", "last", "--agent", "poet", "/sh echo $ROLE").out())
                .contains("the poet");
        assertThat(satchel.run("agents", "rm", "poet").code()).isZero();
        assertThat(satchel.run("send", "-c", "last", "/sh echo is ${ROLE:-none}").err())
                .contains(
                        "The agent \"poet\" of this chat was deleted. The default agent answers.");
        try (PseudoTerminal terminal = chat("last")) {
            terminal.await(PROMPT);
            terminal.line("/agent");
            terminal.await("The default agent answers.");
            terminal.await(PROMPT);
            terminal.line("/quit");
            assertThat(terminal.end()).isZero();
        }
    }

    @Test
    void ctrlCCancelsTheRunAndTheChatContinues() throws Exception {
        try (PseudoTerminal terminal = chat()) {
            terminal.await(PROMPT);
            terminal.line("/sleep 600");
            terminal.await("▸ sleep");
            terminal.ctrlC();
            terminal.await("Cancelling");
            terminal.await("(cancelled)");
            terminal.await(PROMPT);
            terminal.line("/sh echo still he''re");
            terminal.await("still here");
            terminal.await(PROMPT);
            terminal.line("/quit");

            assertThat(terminal.end()).isZero();
        }
    }

    @Test
    void aLineTypedDuringATurnIsQueuedAndAnsweredInItsOrder() throws Exception {
        try (PseudoTerminal terminal = chat()) {
            terminal.await(PROMPT);
            terminal.line("/sleep 600");
            terminal.await("▸ sleep");
            terminal.line("/files");
            terminal.await("/files works when the turn has ended.");
            terminal.line("/sh echo seven''teen");
            terminal.await("Queued as number 1.");
            terminal.line("/sh echo eight''een");
            terminal.await("Queued as number 2.");
            terminal.ctrlC();
            terminal.await("(cancelled)");
            terminal.await("Messages that wait: 2.");
            terminal.await(PROMPT);
            terminal.line("/queue");
            terminal.await("» /sh echo eight''een");
            terminal.await(PROMPT);
            terminal.line("/resume");
            terminal.await("seventeen");
            terminal.await("eighteen");
            terminal.await(PROMPT);
            terminal.line("/quit");

            assertThat(terminal.end()).isZero();
        }
    }

    @Test
    void aTurnThatStartsAndEndsUnseenIsPrinted() throws Exception {
        try (PseudoTerminal terminal = chat()) {
            terminal.await(PROMPT);
            terminal.line("/sh echo begin''ning");
            terminal.await("beginning");
            terminal.await(PROMPT);
            assertThat(satchel.run("send", "-c", "last", "/sh echo nine''teen").code()).isZero();
            terminal.line("/resume");
            terminal.await("/sh echo nine''teen");
            terminal.await("✓");
            terminal.await("nineteen");
            terminal.await(PROMPT);
            assertThat(satchel.run("send", "-c", "last", "/sh echo twen''ty").code()).isZero();
            terminal.line("/sh echo o''ther");
            terminal.await("twenty");
            terminal.await("other");
            terminal.await(PROMPT);
            terminal.line("/resume");

            assertThat(terminal.await(PROMPT)).doesNotContain("twenty", "other");
        }
    }

    @Test
    void ctrlCTwiceAtThePromptExits() throws Exception {
        try (PseudoTerminal terminal = chat()) {
            terminal.await(PROMPT);
            terminal.ctrlC();
            terminal.await("Ctrl-C again to exit.");
            terminal.await(PROMPT);
            terminal.ctrlC();

            assertThat(terminal.end()).isEqualTo(ExitCode.CANCELLED);
        }
    }

    @Test
    void ctrlCTwiceDuringARunExitsAtOnce() throws Exception {
        try (PseudoTerminal terminal = chat()) {
            terminal.await(PROMPT);
            terminal.line("/sleep 600");
            terminal.await("▸ sleep");
            satchel.freeze(); // so that it cannot have cancelled before the second time
            terminal.ctrlC();
            terminal.await("Cancelling");
            terminal.ctrlC();

            assertThat(terminal.end()).isEqualTo(ExitCode.CANCELLED);
        } finally {
            satchel.thaw();
        }
    }

    @Test
    void attachedFilesAreSentAndFilesOfTheAnswerAreDownloaded() throws Exception {
        satchel.file("two words.txt", "b\na\n");
        try (PseudoTerminal terminal = chat()) {
            terminal.await(PROMPT);
            terminal.line("/attach 'two words.txt'");
            terminal.await("» two words.txt  4 B");
            terminal.await(PROMPT);
            terminal.line("/sh mkdir -p assets && sort 'two words.txt' > assets/sorted.txt");
            terminal.await("» sorted.txt  4 B");
            terminal.await(PROMPT);
            terminal.line("/get sorted.txt");
            terminal.await(PROMPT);
            terminal.line("/attach missing.txt");
            terminal.await("missing.txt: no such file");
            terminal.await(PROMPT);
            terminal.ctrlD();
            terminal.end();
        }
        assertThat(satchel.home().resolve("sorted.txt")).hasContent("a\nb\n");
    }

    @Test
    void standardInputIsAConversationToo() throws Exception {
        Process process = satchel.start(satchel.withServer("chat"));
        process.getOutputStream()
                .write(
                        "/sh echo one > kept.txt\n/write note.txt\\\nsecond line\n/sh cat kept.txt\n"
                                .getBytes(StandardCharsets.UTF_8));

        SatchelProcess.Outcome outcome = SatchelProcess.finish(process);

        assertThat(outcome.code()).isZero();
        assertThat(outcome.out()).contains("one");
        assertThat(outcome.err()).contains("+ sh  cat kept.txt").doesNotContain("\u001b");
    }

    private static PseudoTerminal chat(String... arguments) throws IOException {
        List<String> line = new ArrayList<>(List.of("chat"));
        line.addAll(List.of(arguments));
        return PseudoTerminal.start(
                satchel.home(),
                Map.of(),
                SatchelProcess.java(
                        "dev.satchel.cli.Main", satchel.withServer(line.toArray(String[]::new))));
    }
}
