package dev.satchel.server.credential;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.satchel.protocol.Json;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.configuration.SandboxConfiguration;
import dev.satchel.server.model.ModelsFileParser;
import dev.satchel.server.testing.LogLines;
import dev.satchel.server.testing.ScriptedModel;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import dev.satchel.server.testing.TestServer.Events.Event;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** An agent uses a credential at an MCP server, and its value is found nowhere else. */
@Timeout(180)
class CredentialInRunTest {
    private static final String CANARY = "canary-77ce01f2a9";

    /** The pattern does not match itself in the list of processes. */
    private static final String SEARCH =
            "echo found=$({ env; cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline; grep -rIs"
                    + " 'canary-7[7]' /root /tmp /etc /run /home; } 2>/dev/null | tr '\\0' '\\n'"
                    + " | grep -c 'canary-7[7]')";

    @TempDir Path data;
    private final Queue<String> authorizations = new ConcurrentLinkedQueue<>();
    private LogLines log;
    private ScriptedModel model;
    private HttpServer mcp;
    private TestServer server;

    @BeforeEach
    void start() throws Exception {
        log = LogLines.all();
        model = new ScriptedModel();
        mcp = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        mcp.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        mcp.createContext("/mcp", this::answer);
        mcp.start();
        server = TestServer.start(configuration(), Clock.systemUTC());
    }

    @AfterEach
    void stop() {
        server.close();
        mcp.stop(0);
        model.close();
        log.close();
    }

    @Test
    void theValueReachesTheServerOfTheAgentAndNothingElse() throws Exception {
        store(CANARY);
        List<Event> events = turn(agent("tracker"));

        assertThat(authorizations).isNotEmpty().containsOnly("Bearer " + CANARY);
        assertThat(steps(events)).contains("mcp:tickets:count succeeded", "sh succeeded");
        String run = events.getFirst().data().get("runId").stringValue();
        assertThat(events.toString()).doesNotContain(CANARY);
        for (String path :
                List.of(
                        "/api/runs/" + run,
                        "/api/runs/" + run + "/trace?journal=true",
                        "/api/agents",
                        "/api/credentials",
                        "/api/assistant/chats")) {
            HttpResponse<String> answer = server.get(path);
            assertThat(answer.statusCode()).as(path).isEqualTo(200);
            assertThat(answer.body()).as(path).doesNotContain(CANARY);
        }
        assertThat(log.messages()).noneMatch(line -> line.contains(CANARY));
        assertNoFileContains(CANARY);
        server.close();
        assertNoFileContains(CANARY);
    }

    @Test
    void aRunUsesTheValueThatIsStoredWhenItIsNeeded() throws Exception {
        store("first-value");
        String agent = agent("tracker");
        server.send("PUT", "/api/credentials/tracker", Map.of("value", CANARY));

        turn(agent);

        assertThat(authorizations).isNotEmpty().containsOnly("Bearer " + CANARY);
    }

    @Test
    void aDeletedCredentialIsAFailedStepAndTheRunGoesOn() throws Exception {
        String agent = agent("tracker");

        try (Events events = begin(agent)) {
            model.next().says("Without tickets.").ends();
            List<Event> all = events.rest();
            assertThat(steps(all)).contains("mcp:tickets failed");
            assertThat(all.toString()).contains("no credential called tracker");
            assertThat(all.getLast().data().get("status").stringValue()).isEqualTo("succeeded");
        }
    }

    private Configuration configuration() throws IOException {
        Map<String, String> settings = model.settings(data);
        String models = Files.readString(Path.of(settings.get("SATCHEL_MODELS_FILE")));
        Map<String, String> variables = new HashMap<>(settings);
        variables.put("PATH", System.getenv("PATH"));
        variables.put("HOME", data.toString());
        variables.put("SATCHEL_PRIVATE_HOSTS", "127.0.0.1");
        Configuration plain = TestServer.configuration(data.resolve("satchel"), null, null);
        return TestConfiguration.withModels(
                TestConfiguration.withSandbox(plain, new SandboxConfiguration.Embedded(variables)),
                ModelsFileParser.parse(models, new ArrayList<>()));
    }

    private void store(String value) throws Exception {
        Map<String, String> body = Map.of("name", "tracker", "value", value);
        assertThat(server.post("/api/credentials", body).statusCode()).isEqualTo(201);
    }

    private String agent(String credential) throws Exception {
        String url = "http://127.0.0.1:" + mcp.getAddress().getPort() + "/mcp";
        Map<String, Object> tickets = Map.of("type", "http", "url", url, "credential", credential);
        HttpResponse<String> created =
                server.post(
                        "/api/agents",
                        Map.of("name", "helper", "mcpServers", Map.of("tickets", tickets)));
        assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
        return Json.MAPPER.readTree(created.body()).get("id").stringValue();
    }

    private Events begin(String agent) throws Exception {
        return server.turn(Map.of("message", "How many tickets?", "agentId", agent));
    }

    /** The model counts the tickets, and searches for the credential in its sandbox. */
    private List<Event> turn(String agent) throws Exception {
        try (Events events = begin(agent)) {
            model.next().calls("mcp__tickets__count", Map.of()).ends();
            ScriptedModel.Call second = model.next();
            assertThat(second.request().toString())
                    .contains("three tickets")
                    .doesNotContain(CANARY);
            second.calls("sh", Map.of("command", SEARCH)).ends();
            ScriptedModel.Call third = model.next();
            assertThat(third.request().toString()).contains("found=0").doesNotContain(CANARY);
            third.says("Three.").ends();
            return events.rest();
        }
    }

    private static List<String> steps(List<Event> events) {
        return events.stream()
                .filter(event -> event.type().equals("step"))
                .map(event -> event.data())
                .map(
                        step ->
                                step.get("name").stringValue()
                                        + " "
                                        + step.get("status").stringValue())
                .toList();
    }

    /** An MCP server with one tool, which shows what it was sent. */
    private void answer(HttpExchange exchange) throws IOException {
        JsonNode request = Json.MAPPER.readTree(exchange.getRequestBody().readAllBytes());
        authorizations.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
        Object result =
                switch (request.path("method").stringValue("")) {
                    case "initialize" ->
                            Map.of(
                                    "protocolVersion",
                                    request.at("/params/protocolVersion").stringValue(),
                                    "capabilities",
                                    Map.of("tools", Map.of()),
                                    "serverInfo",
                                    Map.of("name", "tickets", "version", "1"));
                    case "tools/list" ->
                            Map.of(
                                    "tools",
                                    List.of(
                                            Map.of(
                                                    "name",
                                                    "count",
                                                    "inputSchema",
                                                    Map.of("type", "object"))));
                    case "tools/call" ->
                            Map.of(
                                    "content",
                                    List.of(
                                            Map.of(
                                                    "type",
                                                    "text",
                                                    "text",
                                                    "three tickets for " + authorizations.peek())));
                    default -> Map.of();
                };
        if (request.path("id").isMissingNode()) {
            exchange.sendResponseHeaders(request.isMissingNode() ? 405 : 202, -1);
            exchange.close();
            return;
        }
        byte[] body =
                Json.MAPPER
                        .writeValueAsString(
                                Map.of("jsonrpc", "2.0", "id", request.get("id"), "result", result))
                        .getBytes(UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private void assertNoFileContains(String text) throws IOException {
        try (Stream<Path> files = Files.walk(data)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(new String(Files.readAllBytes(file), ISO_8859_1).contains(text))
                        .as(file.toString())
                        .isFalse();
            }
        }
    }
}
