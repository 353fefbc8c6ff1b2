package dev.satchel.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.client.examples.AskAQuestion;
import dev.satchel.client.examples.RunAnAgent;
import dev.satchel.client.examples.WorkOnAFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs the examples as programs. */
@Timeout(120)
class ExamplesTest {
    private static LocalServer server;

    @BeforeAll
    static void start() throws Exception {
        server = LocalServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void aQuestionIsAskedAndItsStepsAreSeen() throws Exception {
        assertThat(run(AskAQuestion.class, "/sh echo forty-two"))
                .startsWith("sh running", "sh succeeded")
                .anyMatch(line -> line.contains("forty-two"));
    }

    @Test
    void aFileGoesInAndAnotherComesBack() throws Exception {
        Path file = LocalServer.file("in.txt", "b\na\n");

        List<String> said =
                run(
                        WorkOnAFile.class,
                        file.toString(),
                        "/sh mkdir -p assets && sort in.txt > assets/out.txt");

        assertThat(said).containsExactly("made out.txt");
        assertThat(file.resolveSibling("out.txt")).hasContent("a\nb\n");
    }

    @Test
    void anAgentRunsWithoutAChat() throws Exception {
        assertThat(run(RunAnAgent.class, "/sh echo done").getFirst()).startsWith("succeeded: ");
    }

    private static List<String> run(Class<?> example, String... arguments) throws Exception {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                example.getName(),
                                server.url().toString(),
                                LocalServer.KEY));
        command.addAll(Arrays.asList(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said.lines().toList();
    }
}
