package dev.satchel.server.usage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.access.MovableClock;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.model.ModelsFileParser;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
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

/** The tokens and the cost of runs, for the run, the chat and the tenant. */
class ModelUsageTest {
    private static final String MODELS =
            """
            {"models":[
              {"id":"deep","provider":"anthropic","name":"claude-opus-4-6","fallback":"swift",
               "price":{"input":5,"output":25,"cacheRead":0.5,"cacheWrite":6.25}},
              {"id":"swift","provider":"openai","name":"gpt-5-mini"}
            ]}
            """;

    @TempDir Path data;
    private final MovableClock clock = new MovableClock();
    private ScriptedSandbox sandbox;

    @BeforeEach
    void start() throws Exception {
        sandbox = new ScriptedSandbox();
    }

    @AfterEach
    void stop() {
        sandbox.close();
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void theCallsOfARunAreAddedUp(Dialect dialect) throws Exception {
        try (TestServer server = start(dialect)) {
            JsonNode result = turn(server, null, usage("deep", 100, 10), usage("deep", 7, 1));

            assertThat(result.get("usage"))
                    .isEqualTo(
                            json(
                                    "{'inputTokens':107,'outputTokens':11,'cacheReadTokens':8,"
                                            + "'cacheWriteTokens':4,'costMicros':840}"));
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void theTenantSeesItsUsageInEveryGroup(Dialect dialect) throws Exception {
        try (TestServer server = start(dialect)) {
            JsonNode first = turn(server, null, usage("deep", 100, 10));
            String chat = first.get("chatId").stringValue();
            JsonNode _ = turn(server, chat, usage("gpt-5-mini", 50, 5), usage("deep", 0, 0));
            String agent = agent(server);
            run(server, agent, usage("unheard-of", 1, 1));

            JsonNode total =
                    json(
                            "{'calls':4,'inputTokens':151,'outputTokens':16,"
                                    + "'cacheReadTokens':16,'cacheWriteTokens':8,'costMicros':780}");
            String today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC).toString();
            for (String group : List.of("day", "model", "user", "chat", "agent")) {
                assertThat(server.getJson("/api/usage?groupBy=" + group).get("total"))
                        .as(group)
                        .isEqualTo(total);
            }
            assertThat(calls(server, "day")).containsOnly(Map.entry(today, 4L));
            assertThat(calls(server, "model"))
                    .containsOnly(
                            Map.entry("deep", 2L),
                            Map.entry("swift", 1L),
                            Map.entry("unheard-of", 1L));
            assertThat(calls(server, "user")).containsOnly(Map.entry("owner", 4L));
            assertThat(calls(server, "chat"))
                    .containsOnly(Map.entry(chat, 3L), Map.entry("null", 1L));
            assertThat(calls(server, "agent"))
                    .containsOnly(Map.entry(agent, 1L), Map.entry("null", 3L));
            JsonNode ofChat = server.getJson("/api/assistant/chats/" + chat).get("usage");
            assertThat(ofChat.get("calls").longValue()).isEqualTo(3);
            assertThat(ofChat.get("costMicros").longValue()).isEqualTo(780);
            HttpResponse<String> other =
                    server.sendAs(server.keyOf("other"), "GET", "/api/usage?groupBy=model");
            assertThat(Json.MAPPER.readTree(other.body()).get("rows").isEmpty()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void theSumsOfAnErasedChatStayWithoutIt(Dialect dialect) throws Exception {
        try (TestServer server = start(dialect)) {
            JsonNode result = turn(server, null, usage("deep", 100, 10), usage("deep", 1, 1));
            String chat = result.get("chatId").stringValue();
            JsonNode before = server.getJson("/api/usage?from=2020-01-01").get("total");
            assertThat(
                            server.sendAs(
                                            TestServer.KEY,
                                            "DELETE",
                                            "/agent-server/api/sessions/" + chat)
                                    .statusCode())
                    .isLessThan(300);

            JsonNode after = server.getJson("/api/usage?groupBy=chat");
            assertThat(after.get("total")).isEqualTo(before);
            assertThat(calls(server, "chat")).containsOnly(Map.entry("null", 2L));
            assertThat(calls(server, "model")).containsOnly(Map.entry("deep", 2L));
        }
    }

    @Test
    void aPeriodHasWholeDays() throws Exception {
        try (TestServer server = start(Dialect.SQLITE)) {
            String first = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC).toString();
            JsonNode _ = turn(server, null, usage("deep", 1, 1));
            clock.advance(Duration.ofDays(1));
            String second = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC).toString();
            JsonNode _ = turn(server, null, usage("deep", 2, 1));

            assertThat(calls(server, "day"))
                    .containsOnly(Map.entry(first, 1L), Map.entry(second, 1L));
            JsonNode one = server.getJson("/api/usage?from=" + first + "&to=" + first);
            assertThat(one.get("total").get("inputTokens").longValue()).isEqualTo(1);
            for (String wrong :
                    List.of("from=yesterday", "from=2026-02-01&to=2026-01-01", "groupBy=x")) {
                assertThat(server.get("/api/usage?" + wrong).statusCode()).isEqualTo(400);
            }
        }
    }

    @Test
    void aModelThatATenantDescribesHasNoPriceWhateverItsName() throws Exception {
        try (TestServer server = start(Dialect.SQLITE)) {
            Map<String, String> own = Map.of("provider", "openai", "name", "deep");
            HttpResponse<String> made =
                    server.post("/api/agents", Map.of("name", "own", "model", own));
            String agent = Json.MAPPER.readTree(made.body()).get("id").stringValue();
            run(server, agent, usage("deep", 100, 10));

            assertThat(server.getJson("/api/usage").get("total").get("costMicros").isNull())
                    .isTrue();
            assertThat(server.get("/metrics").body())
                    .contains(
                            "satchel_model_calls_total{model=\"other\",outcome=\"succeeded\"} 1.0");
        }
    }

    @Test
    void callsTokensAndRetriesAreCounted() throws Exception {
        try (TestServer server = start(Dialect.SQLITE)) {
            String retry =
                    "{'type':'retry','attempt':1,'delayMs':1,'code':'model_rate_limited','message':'busy'}";
            JsonNode _ = turn(server, null, retry, usage("deep", 100, 10));
            try (Events events = server.turn(Map.of("message", "again"))) {
                sandbox.next()
                        .say(json("{'type':'error','code':'model_auth','message':'no'}").toString())
                        .hangsUp();
                assertThat(events.rest()).isNotEmpty();
            }

            assertThat(server.get("/metrics").body())
                    .contains(
                            "satchel_model_calls_total{model=\"deep\",outcome=\"succeeded\"} 1.0",
                            "satchel_model_calls_total{model=\"deep\",outcome=\"retried\"} 1.0",
                            "satchel_model_calls_total{model=\"deep\",outcome=\"model_auth\"} 1.0",
                            "satchel_model_retries_total{model=\"deep\",outcome=\"model_rate_limited\"} 1.0",
                            "satchel_model_tokens_total{kind=\"input\",model=\"deep\",outcome=\"succeeded\"} 100.0",
                            "satchel_model_tokens_total{kind=\"output\",model=\"deep\",outcome=\"succeeded\"} 10.0");
        }
    }

    private TestServer start(Dialect dialect) throws Exception {
        List<String> problems = new ArrayList<>();
        URI database = dialect == Dialect.POSTGRESQL ? TestDatabases.freshPostgresql() : null;
        Configuration configuration =
                TestConfiguration.withModels(
                        TestServer.configuration(data, database, sandbox.url()),
                        ModelsFileParser.parse(MODELS, problems));
        return TestServer.start(configuration, clock);
    }

    /** Its result, with the id of the chat. */
    private JsonNode turn(TestServer server, @Nullable String chat, String... lines)
            throws Exception {
        Map<String, String> body = new HashMap<>(Map.of("message", "hello"));
        if (chat != null) {
            body.put("chatId", chat);
        }
        try (Events events = server.turn(body)) {
            play(lines);
            List<JsonNode> all = events.rest().stream().map(Events.Event::data).toList();
            String id = all.getFirst().get("chatId").stringValue();
            return ((tools.jackson.databind.node.ObjectNode) all.get(all.size() - 2))
                    .put("chatId", id);
        }
    }

    private void run(TestServer server, String agent, String line) throws Exception {
        Thread player =
                Thread.startVirtualThread(
                        () -> {
                            try {
                                play(line);
                            } catch (InterruptedException e) {
                                throw new IllegalStateException(e);
                            }
                        });
        HttpResponse<String> answer =
                server.post("/api/agents/" + agent + "/runs", Map.of("prompt", "go"));
        player.join();
        assertThat(answer.statusCode()).isEqualTo(200);
    }

    private void play(String... lines) throws InterruptedException {
        var run = sandbox.next();
        for (String line : lines) {
            run.say(json(line).toString());
        }
        run.answers("done");
    }

    private static String agent(TestServer server) throws Exception {
        return Json.MAPPER
                .readTree(server.post("/api/agents", Map.of("name", "clerk")).body())
                .get("id")
                .stringValue();
    }

    /** The calls of each group of the last two days. */
    private static Map<String, Long> calls(TestServer server, String group) throws Exception {
        Map<String, Long> calls = new HashMap<>();
        for (JsonNode row : server.getJson("/api/usage?groupBy=" + group).get("rows")) {
            JsonNode key = row.get("key");
            calls.put(key.isNull() ? "null" : key.stringValue(), row.get("calls").longValue());
        }
        return calls;
    }

    private static String usage(String model, long input, long output) {
        return "{'type':'usage','model':'%s','provider':'p','inputTokens':%d,'outputTokens':%d,'cacheReadTokens':4,'cacheWriteTokens':2}"
                .formatted(model, input, output);
    }

    private static JsonNode json(String text) {
        return Json.MAPPER.readTree(text.replace('\'', '"'));
    }
}
