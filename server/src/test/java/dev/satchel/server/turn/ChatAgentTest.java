package dev.satchel.server.turn;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Dispatch;
import dev.satchel.protocol.Json;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.model.ModelsFileParser;
import dev.satchel.server.testing.SandboxCalls;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** A chat keeps the agent and the model that its messages name, until one names others. */
class ChatAgentTest {
    private static final String SEND = "/api/assistant/chat/stream";
    private static final String MODELS =
            """
            {"models":[
              {"id":"swift","provider":"openai","name":"gpt-5-mini"},
              {"id":"deep","provider":"anthropic","name":"claude-opus-4-6"}
            ]}
            """;
    private static final String FEWER_MODELS =
            """
            {"models":[{"id":"swift","provider":"openai","name":"gpt-5-mini"}]}
            """;

    @TempDir Path data;
    private final SandboxCalls calls = new SandboxCalls();
    private ScriptedSandbox sandbox;
    private @Nullable TestServer running;

    @BeforeEach
    void start() throws Exception {
        sandbox = new ScriptedSandbox();
    }

    @AfterEach
    void stop() {
        if (running != null) {
            running.close();
        }
        sandbox.close();
        calls.close();
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void anAgentStaysUntilAMessageNamesAnother(Dialect dialect) throws Exception {
        TestServer server = start(dialect);
        String poet = agent("poet", "deep");
        String clerk = agent("clerk", "swift");
        String chat = server.newChat();

        assertThat(chat(chat).get("agentId").isNull()).isTrue();
        assertThat(chat(chat).get("agent").isNull()).isTrue();
        assertThat(turn(chat, Map.of("agentId", poet)).prompt()).isEqualTo("Be a poet.");
        assertThat(turn(chat, Map.of()).prompt()).isEqualTo("Be a poet.");
        assertThat(chat(chat).get("agentId").stringValue()).isEqualTo(poet);
        assertThat(chat(chat).get("agent").toString())
                .isEqualTo("{\"id\":\"%s\",\"name\":\"poet\",\"version\":1}".formatted(poet));

        Turn other = turn(chat, Map.of("agentId", clerk));
        assertThat(other.prompt()).isEqualTo("Be a clerk.");
        assertThat(other.model()).isEqualTo("swift");
        assertThat(other.first().get("agentId").stringValue()).isEqualTo(clerk);
        assertThat(turn(chat, Map.of("agentId", "default")).prompt()).isEmpty();
        assertThat(chat(chat).get("agentId").isNull()).isTrue();
    }

    @Test
    void everyRunNamesItsAgentInTheVersionWithWhichItStarted() throws Exception {
        TestServer server = start(Dialect.SQLITE);
        String poet = agent("poet", "deep");
        String chat = server.newChat();
        JsonNode first = turn(chat, Map.of("agentId", poet)).first();
        Thread sender = post("/api/agents/" + poet + "/runs", Map.of("prompt", "go"));
        ScriptedSandbox.RunOnStage headless = sandbox.next();
        server.send("PUT", "/api/agents/" + poet, Map.of("name", "clerk"));
        headless.answers("done");
        sender.join();
        JsonNode second = turn(chat, Map.of()).first();

        for (Map.Entry<String, Integer> run :
                Map.of(
                                first.get("runId").stringValue(),
                                1,
                                headless.dispatch().sessionId(),
                                1,
                                second.get("runId").stringValue(),
                                2)
                        .entrySet()) {
            JsonNode read = server.getJson("/api/runs/" + run.getKey());
            assertThat(read.get("agentId").stringValue()).isEqualTo(poet);
            assertThat(read.get("agentVersion").intValue()).isEqualTo(run.getValue());
            String trace = server.get("/api/runs/" + run.getKey() + "/trace").body();
            JsonNode line = Json.MAPPER.readTree(trace.lines().findFirst().orElseThrow());
            assertThat(line.get("agentId").stringValue()).isEqualTo(poet);
            assertThat(line.get("agentVersion").intValue()).isEqualTo(run.getValue());
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aModelStaysUntilAMessageNamesAnother(Dialect dialect) throws Exception {
        TestServer server = start(dialect);
        String poet = agent("poet", "swift");
        String chat = server.newChat();

        assertThat(turn(chat, Map.of("model", "deep")).model()).isEqualTo("deep");
        assertThat(turn(chat, Map.of("agentId", poet)).model()).isEqualTo("deep");
        assertThat(chat(chat).get("model").stringValue()).isEqualTo("deep");
        assertThat(turn(chat, Map.of("model", "default")).model()).isEqualTo("swift");
        assertThat(chat(chat).get("model").isNull()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void anUnknownAgentOrOneOfAnotherTenantIsRefused(Dialect dialect) throws Exception {
        TestServer server = start(dialect);
        String foreign = foreignAgent(server);
        String chat = server.newChat();

        for (String id : List.of(foreign, "f3bbb1c3-020a-4440-9549-6f009b92e6d7", "poet")) {
            HttpResponse<String> refused =
                    server.post(SEND, Map.of("message", "hi", "chatId", chat, "agentId", id));
            assertThat(refused.statusCode()).isEqualTo(404);
            assertThat(refused.body()).contains("no such agent");
            assertThat(setDefault(id).statusCode()).isEqualTo(404);
        }
        assertThat(chat(chat).get("messages")).isEmpty();
        assertThat(sandbox.nothingDispatched()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void theDefaultAgentAnswersInChatsThatNameNone(Dialect dialect) throws Exception {
        TestServer server = start(dialect);
        String poet = agent("poet", "deep");
        String clerk = agent("clerk", "swift");
        String chat = server.newChat();

        assertThat(server.getJson("/api/default-agent").toString()).isEqualTo("{\"agentId\":null}");
        assertThat(setDefault(poet).body()).isEqualTo("{\"agentId\":\"%s\"}".formatted(poet));
        assertThat(turn(chat, Map.of()).prompt()).isEqualTo("Be a poet.");
        assertThat(chat(chat).get("agentId").isNull()).isTrue();
        assertThat(chat(chat).at("/agent/name").stringValue()).isEqualTo("poet");
        assertThat(turn(chat, Map.of("agentId", clerk)).prompt()).isEqualTo("Be a clerk.");

        assertThat(setDefault(null).statusCode()).isEqualTo(200);
        assertThat(turn(chat, Map.of("agentId", "default")).prompt()).isEmpty();
        assertThat(setDefault(poet).statusCode()).isEqualTo(200);
        delete(poet);
        assertThat(server.getJson("/api/default-agent").toString()).isEqualTo("{\"agentId\":null}");
        assertThat(turn(chat, Map.of()).prompt()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void theChatsOfADeletedAgentGoOnWithTheDefaultAgentAndSaySo(Dialect dialect) throws Exception {
        TestServer server = start(dialect);
        String poet = agent("poet", "deep");
        String clerk = agent("clerk", "swift");
        String chat = server.newChat();
        turn(chat, Map.of("agentId", poet));
        setDefault(clerk);

        delete(poet);

        String notice = "The agent \"poet\" of this chat was deleted. The agent \"clerk\" answers.";
        assertThat(chat(chat).get("agentNotice").stringValue()).isEqualTo(notice);
        Turn next = turn(chat, Map.of());
        assertThat(next.prompt()).isEqualTo("Be a clerk.");
        assertThat(next.first().get("notice").stringValue()).isEqualTo(notice);
        assertThat(turn(chat, Map.of()).first().has("notice")).isFalse();
        assertThat(chat(chat).has("agentNotice")).isFalse();
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aQueuedMessageKeepsWhatItWasSentWith(Dialect dialect) throws Exception {
        TestServer server = start(dialect);
        String poet = agent("poet", "deep");
        String clerk = agent("clerk", "swift");
        String chat = server.newChat();
        try (Events first = server.turn(body(chat, Map.of("agentId", poet)))) {
            ScriptedSandbox.RunOnStage run = sandbox.next();
            queue(chat, "second", Map.of());
            queue(chat, "third", Map.of("agentId", clerk, "model", "deep"));
            queue(chat, "fourth", Map.of());
            assertThat(queued(chat)).containsExactly(poet + " -", clerk + " deep", clerk + " deep");
            assertThat(chat(chat).get("agentId").stringValue()).isEqualTo(clerk);
            run.answers("done");
            first.rest();
        }

        assertThat(nextPrompt()).isEqualTo("Be a poet.");
        assertThat(nextPrompt()).isEqualTo("Be a clerk.");
        assertThat(nextPrompt()).isEqualTo("Be a clerk.");
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aForkHasTheAgentAndTheModelOfItsChat(Dialect dialect) throws Exception {
        TestServer server = start(dialect);
        String poet = agent("poet", "swift");
        String chat = server.newChat();
        turn(chat, Map.of("agentId", poet, "model", "deep"));

        HttpResponse<String> forked = server.post("/api/sessions/" + chat + "/fork", Map.of());
        String fork = Json.MAPPER.readTree(forked.body()).at("/session/id").stringValue();

        assertThat(chat(fork).get("agentId").stringValue()).isEqualTo(poet);
        assertThat(chat(fork).get("model").stringValue()).isEqualTo("deep");
    }

    @Test
    void aSessionKeepsItsAgentUntilAMessageNamesAnother() throws Exception {
        TestServer server = start(Dialect.SQLITE);
        String _ = agent("poet", "deep");
        String clerk = agent("clerk", "swift");
        setDefault(clerk);
        HttpResponse<String> made = server.post("/api/sessions", Map.of("agent", "poet"));
        String session = Json.MAPPER.readTree(made.body()).at("/session/id").stringValue();

        assertThat(turn(session, Map.of()).prompt()).isEqualTo("Be a poet.");
        assertThat(turn(session, Map.of("agentId", clerk)).prompt()).isEqualTo("Be a clerk.");
        assertThat(turn(session, Map.of("agentId", "default")).prompt()).isEqualTo("Be a poet.");
    }

    @Test
    void aModelThatTheServerNoLongerHasIsReplacedByThatOfTheAgent() throws Exception {
        TestServer server = start(MODELS);
        String chat = server.newChat();
        turn(chat, Map.of("model", "deep"));
        server.close();

        start(FEWER_MODELS);
        Turn next = turn(chat, Map.of());

        assertThat(next.model()).isEqualTo("swift");
        assertThat(next.first().get("notice").stringValue())
                .isEqualTo(
                        "This server no longer has the model deep of this chat. The model of the"
                                + " agent answers.");
        assertThat(chat(chat).get("model").isNull()).isTrue();
    }

    @Test
    void clientsOfOtherProtocolsNameAnAgentToo() throws Exception {
        start(Dialect.SQLITE);
        String poet = agent("poet", "deep");
        Map<String, ?> uiMessage =
                Map.of("role", "user", "parts", List.of(Map.of("type", "text", "text", "hi")));
        Map<String, ?> agUiMessage = Map.of("id", "m-1", "role", "user", "content", "hi");
        List<Map.Entry<String, Map<String, ?>>> requests =
                List.of(
                        Map.entry(
                                "/api/ai-sdk/chat",
                                Map.of("id", "a", "messages", List.of(uiMessage), "agentId", poet)),
                        Map.entry(
                                "/api/ag-ui",
                                Map.of(
                                        "threadId",
                                        "b",
                                        "runId",
                                        "r",
                                        "messages",
                                        List.of(agUiMessage),
                                        "forwardedProps",
                                        Map.of("agentId", poet))),
                        Map.entry(
                                "/agent-server/api/chat",
                                Map.of("message", "hi", "agentId", poet)));
        for (Map.Entry<String, Map<String, ?>> request : requests) {
            Thread sender = post(request.getKey(), request.getValue());
            assertThat(nextPrompt()).as(request.getKey()).isEqualTo("Be a poet.");
            sender.join();
        }
    }

    private record Turn(JsonNode first, JsonNode config) {
        String prompt() {
            return config.path("system_prompt").stringValue("");
        }

        String model() {
            return config.at("/model/id").stringValue();
        }
    }

    private TestServer start(Dialect dialect) throws Exception {
        return start(
                TestConfiguration.withModels(
                        TestServer.configuration(
                                data,
                                dialect == Dialect.POSTGRESQL
                                        ? TestDatabases.freshPostgresql()
                                        : null,
                                sandbox.url()),
                        ModelsFileParser.parse(MODELS, new ArrayList<>())));
    }

    private TestServer start(String models) throws Exception {
        return start(
                TestConfiguration.withModels(
                        TestServer.configuration(data, null, sandbox.url()),
                        ModelsFileParser.parse(models, new ArrayList<>())));
    }

    private TestServer start(Configuration configuration) throws Exception {
        running = TestServer.start(configuration, Clock.systemUTC());
        return running;
    }

    private TestServer server() {
        return requireNonNull(running);
    }

    private static Map<String, Object> body(String chat, Map<String, ?> more) {
        Map<String, Object> body = new HashMap<>(more);
        body.put("message", "hello");
        body.put("chatId", chat);
        return body;
    }

    /** A whole turn: its first event, and what its runner received. */
    private Turn turn(String chat, Map<String, ?> more) throws Exception {
        try (Events events = server().turn(body(chat, more))) {
            JsonNode first = events.next().orElseThrow().data();
            JsonNode config = nextConfig();
            events.rest();
            return new Turn(first, config);
        }
    }

    private String nextPrompt() throws Exception {
        return nextConfig().path("system_prompt").stringValue("");
    }

    /** What the next run receives; it is answered then. */
    private JsonNode nextConfig() throws Exception {
        ScriptedSandbox.RunOnStage run = sandbox.next();
        Dispatch dispatch = run.dispatch();
        String config = calls.get(dispatch, "/config", requireNonNull(dispatch.otpRun())).body();
        run.answers("done");
        return Json.MAPPER.readTree(config);
    }

    private void queue(String chat, String message, Map<String, ?> more) throws Exception {
        Map<String, Object> body = body(chat, more);
        body.put("message", message);
        body.put("whenBusy", "queue");
        assertThat(server().post(SEND, body).statusCode()).isEqualTo(202);
    }

    private List<String> queued(String chat) throws Exception {
        return server().getJson("/api/assistant/chats/" + chat + "/queue")
                .get("messages")
                .valueStream()
                .map(
                        message ->
                                message.path("agentId").stringValue("-")
                                        + " "
                                        + message.path("model").stringValue("-"))
                .toList();
    }

    private Thread post(String path, Map<String, ?> body) {
        return Thread.startVirtualThread(
                () -> {
                    try {
                        var _ = server().post(path, body);
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                });
    }

    private JsonNode chat(String id) throws Exception {
        return server().getJson("/api/assistant/chats/" + id);
    }

    private String agent(String name, String model) throws Exception {
        HttpResponse<String> made =
                server().post(
                                "/api/agents",
                                Map.of(
                                        "name",
                                        name,
                                        "systemPrompt",
                                        "Be a " + name + ".",
                                        "model",
                                        model));
        assertThat(made.statusCode()).isEqualTo(201);
        return Json.MAPPER.readTree(made.body()).get("id").stringValue();
    }

    private static String foreignAgent(TestServer server) throws Exception {
        HttpResponse<String> made =
                server.send(
                        server.request("/api/agents")
                                .setHeader("Authorization", "Bearer " + server.keyOf("other"))
                                .POST(BodyPublishers.ofString("{\"name\":\"poet\"}"))
                                .build());
        return Json.MAPPER.readTree(made.body()).get("id").stringValue();
    }

    private HttpResponse<String> setDefault(@Nullable String agent) throws Exception {
        Map<String, @Nullable String> body = new HashMap<>();
        body.put("agentId", agent);
        return server().send("PUT", "/api/default-agent", body);
    }

    private void delete(String agent) throws Exception {
        assertThat(server().sendAs(TestServer.KEY, "DELETE", "/api/agents/" + agent).statusCode())
                .isEqualTo(204);
    }
}
