package dev.satchel.server.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import dev.satchel.server.testing.TestServer.Events.Event;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * The runner of examples/python-runner, which shows that a runner needs no library of this project.
 */
class PythonRunnerTest {
    private static final String TOKEN = "between-server-and-runner";

    @TempDir Path data;
    private Process runner;
    private URI address;

    @BeforeEach
    void start() throws IOException {
        ProcessBuilder command =
                new ProcessBuilder(
                        "python3",
                        Path.of("..", "examples", "python-runner", "runner.py").toString(),
                        "--port",
                        "0");
        command.environment().put("RUNNER_TOKEN", TOKEN);
        runner = command.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        BufferedReader output = runner.inputReader(StandardCharsets.UTF_8);
        String first = String.valueOf(output.readLine());
        assertThat(first).startsWith("runner listens on ");
        address = URI.create(first.substring("runner listens on ".length()));
    }

    @AfterEach
    void stop() {
        runner.destroyForcibly().onExit().join();
    }

    @Test
    void itReadsTheFilesOfTheChatAndWritesFilesBack() throws Exception {
        try (TestServer server = server(TOKEN)) {
            String chat = server.newChat();
            String poem =
                    server.upload(chat, "poem.txt", "so much depends upon").get("id").stringValue();
            server.upload(chat, "Überblick.txt", "two words");
            List<Event> events;
            try (Events turn =
                    server.turn(
                            Map.of(
                                    "message",
                                    "count",
                                    "chatId",
                                    chat,
                                    "attachmentIds",
                                    List.of(poem)))) {
                events = turn.rest();
            }

            assertThat(events)
                    .extracting(Event::type)
                    .containsExactly("chat", "step", "step", "step", "step", "result", "end");
            assertThat(events.get(2).data().at("/result/words").intValue()).isEqualTo(4);
            JsonNode result = events.get(5).data();
            assertThat(result.get("message").stringValue())
                    .isEqualTo("You said: count. I counted the words of 2 files.");
            JsonNode made = result.at("/files/0");
            assertThat(made.get("name").stringValue()).isEqualTo("counts.csv");
            assertThat(content(server, chat, made))
                    .isEqualTo("file,words\npoem.txt,4\nÜberblick.txt,2\n");
        }
    }

    @Test
    void aSecondTurnFindsTheFilesOfTheFirst() throws Exception {
        try (TestServer server = server(TOKEN)) {
            String chat = server.newChat();
            Map<String, String> message = Map.of("message", "count", "chatId", chat);
            try (Events first = server.turn(message)) {
                assertThat(first.rest()).hasSize(3);
            }
            try (Events second = server.turn(message)) {
                List<Event> events = second.rest();
                assertThat(events.get(1).data().at("/args/file").stringValue())
                        .isEqualTo("counts.csv");
                assertThat(events.getLast().data().get("status").stringValue())
                        .isEqualTo("succeeded");
            }
        }
    }

    @Test
    void anUnsupportedCommandFailsTheStepAndTheTurn() throws Exception {
        try (TestServer server = server(TOKEN)) {
            String chat = server.newChat();
            server.send(
                    server.request("/api/assistant/chats/" + chat + "/files")
                            .header("Content-Type", MultipartBody.CONTENT_TYPE)
                            .POST(
                                    new MultipartBody()
                                            .file("noise.bin", new byte[] {(byte) 0xff, 0})
                                            .publisher())
                            .build());
            try (Events turn = server.turn(Map.of("message", "count", "chatId", chat))) {
                List<Event> events = turn.rest();

                assertThat(events)
                        .extracting(Event::type)
                        .containsExactly("chat", "step", "step", "error", "end");
                assertThat(events.get(2).data().get("status").stringValue()).isEqualTo("failed");
                assertThat(events.get(3).data().get("code").stringValue())
                        .isEqualTo("agent_failed");
            }
        }
    }

    @Test
    void aServerWithoutItsTokenIsRefused() throws Exception {
        try (TestServer server = server("another-token");
                Events turn = server.turn(Map.of("message", "count"))) {
            assertThat(turn.rest()).extracting(Event::type).contains("error");
        }
    }

    private TestServer server(String token) throws Exception {
        Configuration usual = TestServer.configuration(data, null, address);
        return TestServer.start(
                TestConfiguration.withSandbox(usual, TestConfiguration.remote(address, token)),
                Clock.systemUTC());
    }

    private static String content(TestServer server, String chat, JsonNode file) throws Exception {
        return server.get("/api/assistant/chats/" + chat + "/files/" + file.get("id").stringValue())
                .body();
    }
}
