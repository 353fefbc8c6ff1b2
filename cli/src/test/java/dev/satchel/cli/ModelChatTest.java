package dev.satchel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.client.ClientJson;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * {@code satchel chat} with a model: what it asks a person, and what a person tells it meanwhile.
 */
@Timeout(180)
class ModelChatTest {
    private static final String PROMPT = "you> ";
    private static final String APPROVAL = "[y]es [n]o [a]lways> ";
    private static final Map<String, String> COMMAND = Map.of("command", "echo six''ty");

    private FakeModelServer model;
    private Map<String, String> settings;
    private SatchelProcess satchel;

    @BeforeEach
    void start() throws IOException {
        model = new FakeModelServer();
        model.waitForReplies();
        settings =
                Map.of(
                        "OPENAI_BASE_URL",
                        "http://127.0.0.1:" + model.port() + "/v1",
                        "SATCHEL_MODEL",
                        "qwen3");
        satchel = SatchelProcess.start(settings);
    }

    @AfterEach
    void stop() {
        satchel.close();
        model.close();
    }

    @Test
    void theAgentHearsALineThatSteers() throws Exception {
        try (PseudoTerminal terminal = chat()) {
            terminal.await(PROMPT);
            terminal.line("/help");
            terminal.await("/steer TEXT");
            terminal.await(PROMPT);
            terminal.line("Write a poem");
            model.awaitCall();
            terminal.line("/steer");
            terminal.await("a text is missing: /steer TEXT");
            terminal.line("/steer It's about \"rain\"");
            terminal.await("Sent to the running agent.");
            model.call("sh", COMMAND);
            terminal.await("» heard: It's about \"rain\"");
            model.reply("It rains.");
            terminal.await("It rains.");
            terminal.await(PROMPT);
        }
    }

    @Test
    void anApprovalIsGivenAtThePrompt() throws Exception {
        String chat = carefulChat();
        try (PseudoTerminal terminal = chat(chat)) {
            terminal.await(PROMPT);
            terminal.line("Clean up");
            model.call("sh", COMMAND);
            terminal.await("? May the agent call sh? echo six''ty");
            terminal.await(APPROVAL);
            terminal.line("perhaps");
            terminal.await("Type y, n, n with a reason, or a.");
            terminal.await(APPROVAL);
            terminal.line("y");
            terminal.await("sixty");
            model.call("sh", COMMAND);
            terminal.await(APPROVAL);
            terminal.line("n Not twice");
            terminal.await("✗");
            model.reply("Done.");
            terminal.await("Done.");
            terminal.await(PROMPT);

            assertThat(terminal.seen()).doesNotContain("interrupted");
        }
        assertThat(model.requests().getLast()).contains("Not twice");
    }

    @Test
    void aQuestionIsAnsweredWithANumberOrInWords() throws Exception {
        try (PseudoTerminal terminal = chat()) {
            terminal.await(PROMPT);
            terminal.line("Report");
            model.call("ask_user", question());
            terminal.await("? Which year?  1: last  2: this");
            terminal.await("answer> ");
            terminal.line("2");
            model.call("ask_user", question());
            terminal.await("answer> ");
            terminal.line("the one before");
            model.reply("Done.");
            terminal.await("Done.");
            terminal.await(PROMPT);
        }
        assertThat(model.requests().get(1)).contains("this").doesNotContain("the one before");
        assertThat(model.requests().getLast()).contains("the one before");
    }

    @Test
    void aQuestionThatIsLeftOpenIsAskedAgain() throws Exception {
        try (PseudoTerminal terminal = chat()) {
            terminal.await(PROMPT);
            terminal.line("Report");
            model.call("ask_user", question());
            terminal.await("answer> ");
            terminal.ctrlC();
            terminal.await("The run waits for your answer.");
            terminal.await(PROMPT);
            terminal.line("Are you there?");
            terminal.await("Queued as number 1.");
            terminal.await("? Which year?");
            terminal.await("answer> ");
            terminal.line("1");
            model.reply("Done.");
            terminal.await("Done.");
            terminal.await("Are you there?");
            model.reply("Here I am.");
            terminal.await("Here I am.");
            terminal.await(PROMPT);
        }
    }

    @Test
    void aQuestionThatIsAnsweredElsewhereIsToldAndTheRunIsFollowed() throws Exception {
        try (PseudoTerminal terminal = chat()) {
            terminal.await(PROMPT);
            terminal.line("Report");
            model.call("ask_user", question());
            terminal.await("answer> ");
            String ask = satchel.run("asks", "--json").out();
            String run = ClientJson.MAPPER.readTree(ask).get("runId").stringValue();
            String id = ClientJson.MAPPER.readTree(ask).get("askId").stringValue();
            assertThat(satchel.run("answer", run, id, "last").code()).isZero();
            terminal.line("2");
            terminal.await("It was answered elsewhere");
            model.reply("Done.");
            terminal.await("Done.");
            terminal.await(PROMPT);
        }
    }

    @Test
    void aKilledServerLosesNoLineAndTheRunGoesOn() throws Exception {
        try (PseudoTerminal terminal = chat()) {
            terminal.await(PROMPT);
            terminal.line("Report");
            model.awaitCall();
            satchel.kill();
            terminal.await("The connection is lost; connecting again.");
            terminal.line("One more");
            terminal.await("The message is sent when the connection is back.");
            model.endLostCall();
            satchel = satchel.restart(settings);
            terminal.await("Queued as number 1.");
            model.reply("Done.");
            terminal.await("Done.");
            terminal.await("One more");
            model.reply("Here I am.");
            terminal.await("Here I am.");
            terminal.await(PROMPT);

            assertThat(terminal.seen())
                    .contains("The server was interrupted; the run is continued");
        }
    }

    private static Map<String, Object> question() {
        return Map.of("question", "Which year?", "options", List.of("last", "this"));
    }

    private PseudoTerminal chat(String... chat) throws IOException {
        String[] words =
                Stream.concat(Stream.of("chat"), Arrays.stream(chat)).toArray(String[]::new);
        return PseudoTerminal.start(
                satchel.home(),
                Map.of(),
                SatchelProcess.java("dev.satchel.cli.Main", satchel.withServer(words)));
    }

    /** A chat with an agent that asks before each command. */
    private String carefulChat() throws IOException, InterruptedException {
        satchel.file("agent.json", "{\"name\": \"careful\", \"permissions\": {\"sh\": \"ask\"}}");
        assertThat(satchel.run("agents", "create", "agent.json").code()).isZero();
        HttpRequest session =
                HttpRequest.newBuilder(satchel.url().resolve("/api/sessions"))
                        .header(
                                "Authorization",
                                "Bearer "
                                        + Files.readString(satchel.data().resolve("api-key"))
                                                .strip())
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString("{\"agent\": \"careful\"}"))
                        .build();
        try (HttpClient http = HttpClient.newHttpClient()) {
            String created = http.send(session, HttpResponse.BodyHandlers.ofString()).body();
            return ClientJson.MAPPER.readTree(created).at("/session/id").stringValue();
        }
    }
}
