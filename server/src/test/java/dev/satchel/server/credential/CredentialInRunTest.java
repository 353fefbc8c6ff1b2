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
import dev.satchel.server.testing.AuthorizationServer;
import dev.satchel.server.testing.CheckedHttpClient;
import dev.satchel.server.testing.LogLines;
import dev.satchel.server.testing.ScriptedModel;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import dev.satchel.server.testing.TestServer.Events.Event;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipInputStream;
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
    private static final String NDJSON = "application/x-ndjson";
    private static final Pattern PARAMETER = Pattern.compile("\\{([^}]+)}");

    /** Streams that do not end with the run. */
    private static final Set<String> ENDLESS =
            Set.of("/health/stream", "/api/sessions/{id}/changes", "/api/sessions/{id}/events");

    /** Everything that a command can read. The pattern does not match itself in processes. */
    private static final String SEARCH =
            "echo found=$({ env; cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline /proc/*/task/*/comm;"
                    + " ls -lR /proc/[0-9]*/fd /tmp /run; grep -ras 'canary-7[7]' /"
                    + " --exclude-dir=proc --exclude-dir=sys --exclude-dir=usr --exclude-dir=dev; }"
                    + " 2>/dev/null | tr '\\0' '\\n' | grep -ac 'canary-7[7]')";

    /** Something that the search must find. */
    private static final String PROBE = "printf 'canary-7' > probe; printf '7x\\n' >> probe; ";

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
        assertNowhere(events);
    }

    @Test
    void theTokensOfALoginReachTheServersThatNeedThemAndNothingElse() throws Exception {
        try (AuthorizationServer service = new AuthorizationServer(CANARY, 10)) {
            server.post(
                    "/api/credentials",
                    Map.of("name", "tracker", "oauth", Map.of("resource", service.url("/mcp"))));
            HttpResponse<String> begun =
                    server.post("/api/credentials/tracker/authorization", Map.of());
            String address =
                    Json.MAPPER.readTree(begun.body()).get("authorizationUrl").stringValue();
            HttpResponse<String> finished =
                    server.post("/api/credentials/authorizations", service.logIn(address));
            assertThat(finished.body()).contains("connectedAt").doesNotContain(CANARY);

            List<Event> events = turn(agent("tracker"));

            assertThat(authorizations)
                    .isNotEmpty()
                    .allMatch(sent -> sent.startsWith("Bearer access-" + CANARY));
            assertThat(service.refreshes()).isPositive();
            assertThat(steps(events)).contains("mcp:tickets:count succeeded");
            assertNowhere(events);
        }
    }

    /** Searches all that the server answers, logs and stores. */
    private void assertNowhere(List<Event> events) throws Exception {
        JsonNode first = events.getFirst().data();
        assertThat(events.toString()).doesNotContain(CANARY);
        Map<String, String> ids =
                Map.of(
                        "id", first.get("chatId").stringValue(),
                        "chatId", first.get("chatId").stringValue(),
                        "sessionId", first.get("chatId").stringValue(),
                        "runId", first.get("runId").stringValue(),
                        "workspaceId", "default");
        int answered = 0;
        for (String path : readablePaths(ids)) {
            HttpResponse<byte[]> answer = read(path);
            assertThat(texts(answer.body())).as(path).noneMatch(text -> text.contains(CANARY));
            answered += answer.statusCode() == 200 ? 1 : 0;
        }
        assertThat(answered).as("answered reads").isGreaterThan(30);
        String agents = server.get("/api/agents").body();
        String agent = Json.MAPPER.readTree(agents).at("/agents/0/id").stringValue();
        assertThat(server.get("/api/agents/" + agent + "/versions").body()).doesNotContain(CANARY);
        assertThat(log.text()).contains("/api/credentials").doesNotContain(CANARY);
        assertNoRowContains();
        assertNoFileContains(CANARY);
        server.close();
        assertNoRowContains();
        assertNoFileContains(CANARY);
    }

    /** The addresses of the document that need no other ids, and the parts of the trace. */
    private List<String> readablePaths(Map<String, String> ids) throws Exception {
        List<String> paths = new ArrayList<>();
        JsonNode document = server.getJson("/openapi.json").get("paths");
        document.propertyStream()
                .filter(path -> path.getValue().has("get"))
                .map(Map.Entry::getKey)
                .filter(path -> !ENDLESS.contains(path))
                .map(
                        path ->
                                PARAMETER
                                        .matcher(path)
                                        .replaceAll(
                                                found ->
                                                        ids.getOrDefault(
                                                                found.group(1), "{unknown}")))
                .filter(path -> !path.contains("{"))
                .forEach(paths::add);
        paths.add("/api/runs/" + ids.get("runId") + "/trace?journal=true");
        return paths;
    }

    private HttpResponse<byte[]> read(String path) throws Exception {
        HttpRequest request =
                server.request(path)
                        .header("Accept", path.endsWith("/events") ? NDJSON : "*/*")
                        .GET()
                        .build();
        try (HttpClient client = CheckedHttpClient.create()) {
            return client.send(request, BodyHandlers.ofByteArray());
        }
    }

    /** The bytes as text, and the files of a zip archive. */
    private static List<String> texts(byte[] body) throws IOException {
        List<String> texts = new ArrayList<>(List.of(new String(body, ISO_8859_1)));
        if (texts.getFirst().startsWith("PK")) {
            try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(body))) {
                while (zip.getNextEntry() != null) {
                    texts.add(new String(zip.readAllBytes(), ISO_8859_1));
                }
            }
        }
        return texts;
    }

    private void assertNoRowContains() throws SQLException {
        Path file = data.resolve("satchel/satchel.db");
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            List<String> tables = new ArrayList<>();
            try (ResultSet rows =
                    statement.executeQuery("SELECT name FROM sqlite_master WHERE type = 'table'")) {
                while (rows.next()) {
                    tables.add(rows.getString(1));
                }
            }
            assertThat(tables).contains("credential", "run", "idempotency_key");
            for (String table : tables) {
                try (ResultSet rows = statement.executeQuery("SELECT * FROM \"" + table + "\"")) {
                    while (rows.next()) {
                        for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                            byte[] bytes = rows.getBytes(i);
                            String text = bytes == null ? "" : new String(bytes, ISO_8859_1);
                            assertThat(text).as(table).doesNotContain(CANARY);
                        }
                    }
                }
            }
        }
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
        Configuration plain =
                TestConfiguration.withPrivateHosts(
                        TestServer.configuration(data.resolve("satchel"), null, null), "127.0.0.1");
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
            third.calls("sh", Map.of("command", PROBE + SEARCH)).ends();
            ScriptedModel.Call fourth = model.next();
            assertThat(fourth.request().toString()).contains("found=1").doesNotContain(CANARY);
            fourth.says("Three.").ends();
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
