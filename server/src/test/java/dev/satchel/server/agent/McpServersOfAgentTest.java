package dev.satchel.server.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.ScriptedModel;
import dev.satchel.server.testing.ServerProcess;
import dev.satchel.server.testing.TestServer.Events;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Runs of agents with an MCP server in their sandbox, in a whole server. */
@Timeout(90)
class McpServersOfAgentTest {
    private static final Path SCRIPT = Path.of("../runner/src/test/resources/mcp/server.py");

    @TempDir Path folder;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private ScriptedModel model;
    private ServerProcess server;

    @BeforeEach
    void start() throws Exception {
        model = new ScriptedModel();
        server = ServerProcess.start(folder.resolve("data"), model.settings(folder));
    }

    @AfterEach
    void stop() {
        server.close();
        model.close();
        threads.shutdownNow();
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

    private Future<JsonNode> run(Map<String, String> permissions) throws Exception {
        Map<String, Object> agent =
                Map.of(
                        "name",
                        "with tools",
                        "permissions",
                        permissions,
                        "script",
                        "cat > server.py <<'END'\n" + Files.readString(SCRIPT) + "END\n",
                        "mcpServers",
                        Map.of(
                                "py",
                                Map.of(
                                        "type",
                                        "stdio",
                                        "command",
                                        "python3",
                                        "args",
                                        List.of("server.py", "stdio"))));
        String id =
                json(server.send("POST", "/api/agents", Json.MAPPER.writeValueAsString(agent)))
                        .get("id")
                        .stringValue();
        return threads.submit(
                () ->
                        json(
                                server.send(
                                        "POST",
                                        "/api/agents/" + id + "/runs",
                                        "{\"prompt\":\"go\"}")));
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
