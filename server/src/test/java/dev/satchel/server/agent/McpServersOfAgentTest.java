package dev.satchel.server.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.FolderWatch;
import dev.satchel.server.testing.NpmPackages;
import dev.satchel.server.testing.ScriptedModel;
import dev.satchel.server.testing.ServerProcess;
import dev.satchel.server.testing.TestServer.Events;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Runs of agents with MCP servers in their sandbox and at an address, in a whole server. */
@Timeout(600) // the packages may have to be installed
class McpServersOfAgentTest {
    private static final Path SCRIPT = Path.of("../runner/src/test/resources/mcp/server.py");

    /** Different from those of other tests on this machine. */
    private static final String PROGRAM_FILE = "server-" + UUID.randomUUID() + ".py";

    private static final Map<String, ?> PROGRAM =
            Map.of("type", "stdio", "command", "python3", "args", List.of(PROGRAM_FILE, "stdio"));

    @TempDir static Path folder;
    private static ScriptedModel model;
    private static ServerProcess server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Process> servers = new ArrayList<>();

    @BeforeAll
    static void start() throws Exception {
        model = new ScriptedModel();
        Map<String, String> settings = new HashMap<>(model.settings(folder));
        settings.put("SATCHEL_PRIVATE_HOSTS", "127.0.0.1");
        server = ServerProcess.start(folder.resolve("data"), settings);
    }

    @AfterAll
    static void stop() {
        server.close();
        model.close();
    }

    @AfterEach
    void endServers() {
        threads.shutdownNow();
        servers.forEach(Process::destroyForcibly);
    }

    @Test
    void aQuestionOfAServerIsAskedAndItsAnswerGoesToTheNextCall() throws Exception {
        Future<JsonNode> response = run(Map.of());
        model.next().calls("mcp__py__book", Map.of("room", "A")).ends();
        assertThat(response.get().get("status").stringValue()).isEqualTo("waiting");
        JsonNode ask = response.get().at("/asks/0");
        assertThat(ask.get("kind").stringValue()).isEqualTo("question");
        assertThat(ask.get("tool").stringValue()).isEqualTo("mcp:py:book");
        assertThat(ask.get("question").stringValue()).isEqualTo("Which day for A?");

        String run = response.get().get("runId").stringValue();
        answer(run, Map.of("askId", ask.get("askId").stringValue(), "text", "Monday"));
        ScriptedModel.Call second = model.next();
        assertThat(second.request().get("messages").toString())
                .contains("The person has answered. Call the tool again");
        second.calls("mcp__py__book", Map.of("room", "A")).ends();
        ScriptedModel.Call third = model.next();
        assertThat(third.request().get("messages").toString().replace("\\", ""))
                .contains("\"action\": \"accept\", \"content\": {\"day\": \"Monday\"}");
        third.says("Booked.").ends();
        requireSucceeded(run);
    }

    @Test
    void aCallWaitsForItsApprovalAndADeniedToolIsNotOffered() throws Exception {
        Future<JsonNode> response =
                run(Map.of("mcp:py:*", "ask", "mcp:py:die", "deny", "sh", "deny"));
        ScriptedModel.Call first = model.next();
        assertThat(first.request().get("tools").toString())
                .contains("mcp__py__echo")
                .doesNotContain("mcp__py__die");
        first.calls("mcp__py__echo", Map.of("text", "hello")).ends();
        JsonNode ask = response.get().at("/asks/0");
        assertThat(ask.get("kind").stringValue()).isEqualTo("approval");
        assertThat(ask.get("tool").stringValue()).isEqualTo("mcp:py:echo");

        String run = response.get().get("runId").stringValue();
        answer(run, Map.of("askId", ask.get("askId").stringValue(), "decision", "allow"));
        ScriptedModel.Call second = model.next();
        assertThat(second.request().get("messages").toString()).contains("echo: hello");
        second.says("Done.").ends();
        requireSucceeded(run);
    }

    /** Its question has fields of every kind. */
    @Test
    void aQuestionOfTheEverythingServerIsAskedAndAnswered() throws Exception {
        NpmPackages packages = NpmPackages.install(Path.of("../runner/src/test/mcp"));
        int port =
                port(
                        packages.node(
                                Map.of("PORT", "0"),
                                "--import",
                                "./print-port.mjs",
                                "node_modules/@modelcontextprotocol/server-everything/dist/index.js",
                                "streamableHttp"));
        Future<JsonNode> response = run(Map.of(), "all", http(port));
        model.next().calls("mcp__all__trigger-elicitation-request", Map.of()).ends();
        JsonNode ask = response.get().at("/asks/0");
        assertThat(ask.get("kind").stringValue()).isEqualTo("question");
        assertThat(ask.get("question").stringValue())
                .startsWith("Please provide inputs for the following fields:")
                .contains("name: Your full, legal name")
                .contains("check: Agree to the terms and conditions (yes or no)")
                .contains("Choose your favorite friend (one of Monica, Rachel, Joey, ")
                .contains("Choose your favorite hero (one of hero-1 = Superman, hero-2 = ")
                .contains("Choose your favorite instruments (some of Guitar, Piano, Violin, ")
                .contains("types of fish (some of fish-1 = Tuna, ");

        String run = response.get().get("runId").stringValue();
        String answers =
                """
                name: Ada
                check: yes
                integer: 7
                titledSingleSelectEnum: Wonder Woman
                untitledMultipleSelectEnum: Piano, Bass
                titledMultipleSelectEnum: Tuna, fish-3
                """;
        answer(run, Map.of("askId", ask.get("askId").stringValue(), "text", answers));
        model.next().calls("mcp__all__trigger-elicitation-request", Map.of()).ends();
        ScriptedModel.Call last = model.next();
        assertThat(last.request().get("messages").toString().replace("\\", ""))
                .contains("User provided the requested information")
                .contains("Name: Ada", "Agreed to terms: true", "Favorite Integer: 7")
                .containsPattern("\"titledSingleSelectEnum\": ?\"hero-3\"")
                .containsPattern("\"untitledMultipleSelectEnum\": ?\\[[n ]*\"Piano\",[n ]*\"Bass\"")
                .containsPattern(
                        "\"titledMultipleSelectEnum\": ?\\[[n ]*\"fish-1\",[n ]*\"fish-3\"");
        last.says("Thanks.").ends();
        requireSucceeded(run);
    }

    @ParameterizedTest
    @ValueSource(strings = {"stdio", "http"})
    void cancellingARunEndsTheCallAndLeavesNoProgram(String type) throws Exception {
        Path cancelled = folder.resolve("cancelled-" + type);
        Map<String, ?> definition =
                type.equals("stdio")
                        ? PROGRAM
                        : http(listen(Map.of("CANCELLED", cancelled.toString())));
        String agent = agent(Map.of(), "py", definition);
        try (FolderWatch watch = new FolderWatch(folder);
                Events events =
                        server.turn(
                                Map.of(
                                        "message", "go",
                                        "agentId", agent,
                                        "onDisconnect", "continue"))) {
            JsonNode chat = events.next().orElseThrow().data();
            model.next().calls("mcp__py__hang", Map.of()).ends();
            while (!events.next().orElseThrow().type().equals("output")) {}
            List<ProcessHandle> programs = programs();
            assertThat(programs.isEmpty()).isEqualTo(type.equals("http"));

            String run = chat.get("runId").stringValue();
            assertThat(server.send("POST", "/api/runs/" + run + "/cancel", "{}").statusCode())
                    .isEqualTo(202);

            assertThat(events.rest().getLast().data().get("status").stringValue())
                    .isEqualTo("cancelled");
            JsonNode content = answer(chat);
            assertThat(content.at("/0/name").stringValue()).isEqualTo("mcp:py:hang");
            assertThat(content.at("/0/status").stringValue()).isEqualTo("interrupted");
            assertThat(content.at("/0/output/0/text").stringValue()).isEqualTo("1 hanging\n");
            assertThat(content.at("/2/message").stringValue()).isEqualTo("Stopped on request.");
            for (ProcessHandle program : programs) {
                assertThat(program.onExit().get(30, TimeUnit.SECONDS)).isNotNull();
            }
            if (type.equals("http")) { // a program is killed and may not have heard it
                watch.until(() -> Files.exists(cancelled));
            }
        }
    }

    /** The content of the assistant's message. */
    private static JsonNode answer(JsonNode chat) throws Exception {
        String path = "/api/assistant/chats/" + chat.get("chatId").stringValue();
        return json(server.send("GET", path, "")).at("/messages/1/content");
    }

    /** The processes of the program that run in sandboxes. */
    private static List<ProcessHandle> programs() {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info().commandLine().orElse("").contains(PROGRAM_FILE))
                .toList();
    }

    private static Map<String, ?> http(int port) {
        return Map.of("type", "http", "url", "http://127.0.0.1:" + port + "/mcp");
    }

    private int listen(Map<String, String> variables) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder("python3", SCRIPT.toString(), "http")
                        .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().putAll(variables);
        return port(builder.start());
    }

    /** The port that a server prints; the server ends with the test. */
    private int port(Process process) throws IOException {
        servers.add(process);
        return Integer.parseInt(process.inputReader(StandardCharsets.UTF_8).readLine());
    }

    private Future<JsonNode> run(Map<String, String> permissions) throws Exception {
        return run(permissions, "py", PROGRAM);
    }

    private Future<JsonNode> run(
            Map<String, String> permissions, String name, Map<String, ?> definition)
            throws Exception {
        String id = agent(permissions, name, definition);
        return threads.submit(
                () ->
                        json(
                                server.send(
                                        "POST",
                                        "/api/agents/" + id + "/runs",
                                        "{\"prompt\":\"go\"}")));
    }

    private static String agent(
            Map<String, String> permissions, String name, Map<String, ?> definition)
            throws Exception {
        Map<String, Object> agent =
                Map.of(
                        "name",
                        "with tools " + UUID.randomUUID(),
                        "permissions",
                        permissions,
                        "script",
                        "cat > %s <<'END'\n%sEND\n"
                                .formatted(PROGRAM_FILE, Files.readString(SCRIPT)),
                        "mcpServers",
                        Map.of(name, definition));
        return json(server.send("POST", "/api/agents", Json.MAPPER.writeValueAsString(agent)))
                .get("id")
                .stringValue();
    }

    private void answer(String run, Map<String, String> answer) throws Exception {
        String body = Json.MAPPER.writeValueAsString(Map.of("answers", List.of(answer)));
        HttpResponse<String> answered = server.send("POST", "/api/runs/" + run + "/answers", body);
        assertThat(answered.statusCode()).as(answered.body()).isEqualTo(202);
    }

    private void requireSucceeded(String run) throws Exception {
        try (Events events = server.follow(run, "")) {
            assertThat(events.rest().getLast().data().get("status").stringValue())
                    .isEqualTo("succeeded");
        }
    }

    private static JsonNode json(HttpResponse<String> response) throws IOException {
        if (response.statusCode() >= 300) {
            throw new IOException(response.statusCode() + " " + response.body());
        }
        return Json.MAPPER.readTree(response.body());
    }
}
