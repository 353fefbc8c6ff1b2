package dev.satchel.server.runlog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.access.MovableClock;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** What readers receive of the log of an ended run after it was made smaller. */
class RunLogCompactorTest {
    private static final Duration TWO_HOURS = Duration.ofHours(2);

    @TempDir private Path data;
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
    void aReaderReceivesTheSameTextFromAnyNumberOn(Dialect dialect) throws Exception {
        try (TestServer server = start(dialect)) {
            String run = answeredRun(server);
            List<JsonNode> before = trace(server, run);
            List<List<String>> texts = textsFromEveryNumber(server, run, before.size());

            clock.advance(TWO_HOURS);
            server.sweep();

            assertThat(trace(server, run)).hasSize(before.size() - 5); // 4 of 5, and 1 of 2
            assertThat(textsFromEveryNumber(server, run, before.size())).isEqualTo(texts);
            server.sweep();
            assertThat(trace(server, run)).hasSize(before.size() - 5);
        }
    }

    @Test
    void thoughtsAndTheOutputOfOneStepAreMergedToo() throws Exception {
        try (TestServer server = start(Dialect.SQLITE);
                Events events = server.turn(Map.of("message", "go"))) {
            String id = events.next().orElseThrow().data().get("runId").stringValue();
            ScriptedSandbox.RunOnStage run = sandbox.next();
            run.say("{\"type\":\"thinking\",\"text\":\"A\"}");
            run.say("{\"type\":\"thinking\",\"text\":\"B\"}");
            run.say("{\"type\":\"delta\",\"text\":\"C\"}");
            run.stepStarts("s", "sh").stepStarts("t", "sh");
            for (String output : List.of("s stdout 1", "s stdout 2", "t stdout 3", "t stderr 4")) {
                String[] parts = output.split(" ", -1);
                run.say(
                        "{\"type\":\"output\",\"id\":\"%s\",\"stream\":\"%s\",\"text\":\"%s\"}"
                                .formatted((Object[]) parts));
            }
            run.answers("C");
            events.rest();
            clock.advance(TWO_HOURS);

            server.sweep();

            assertThat(trace(server, id).stream().filter(line -> line.has("text")))
                    .extracting(line -> line.get("text").stringValue())
                    .containsExactly("AB", "C", "12", "3", "4");
        }
    }

    @Test
    void theLogOfARunningRunStaysAsItIs() throws Exception {
        try (TestServer server = start(Dialect.SQLITE);
                Events events = server.turn(Map.of("message", "go"))) {
            String id = events.next().orElseThrow().data().get("runId").stringValue();
            ScriptedSandbox.RunOnStage run = sandbox.next();
            deltas(run, "a", "b", "c");
            for (int i = 0; i < 3; i++) {
                events.next();
            }

            server.sweep();

            assertThat(trace(server, id).stream().filter(RunLogCompactorTest::isDelta)).hasSize(3);
            run.answers("abc");
            events.rest();
        }
    }

    @Test
    void messagesForTheTraceAreDeletedAfterTheirAge() throws Exception {
        try (TestServer server = start(Dialect.SQLITE)) {
            String run = answeredRun(server);
            clock.advance(Duration.ofDays(89));
            server.sweep();
            assertThat(types(trace(server, run))).contains("log");

            clock.advance(Duration.ofDays(2));
            server.sweep();

            assertThat(types(trace(server, run)))
                    .containsExactly("chat", "delta", "step", "step", "delta", "result", "end");
        }
    }

    private TestServer start(Dialect dialect) throws Exception {
        URI database = dialect == Dialect.POSTGRESQL ? TestDatabases.freshPostgresql() : null;
        return TestServer.start(TestServer.configuration(data, database, sandbox.url()), clock);
    }

    private String answeredRun(TestServer server) throws Exception {
        try (Events events = server.turn(Map.of("message", "go"))) {
            String id = events.next().orElseThrow().data().get("runId").stringValue();
            ScriptedSandbox.RunOnStage run = sandbox.next();
            deltas(run, "One ", "", "pi\uD83D\uDE00ce ", "of ", "text.");
            run.stepStarts("s", "sh").stepSucceeds("s", "sh");
            run.say("{\"type\":\"log\",\"level\":\"info\",\"message\":\"hm\",\"ts\":1}");
            deltas(run, " And", " more.");
            run.answers("One pi\uD83D\uDE00ce of text. And more.");
            events.rest();
            return id;
        }
    }

    private static void deltas(ScriptedSandbox.RunOnStage run, String... texts) {
        for (String text : texts) {
            run.say(
                    Json.MAPPER.writeValueAsString(
                            Map.of("type", "delta", "text", text, "ts", 1_700_000_000_000L)));
        }
    }

    /** For each number the texts after it, joined where they follow each other. */
    private static List<List<String>> textsFromEveryNumber(TestServer server, String run, int last)
            throws Exception {
        List<List<String>> all = new ArrayList<>();
        for (int after = 0; after < last; after++) {
            List<String> texts = new ArrayList<>(List.of(""));
            String path = "/api/runs/" + run + "/events?after=" + after;
            try (Events events = server.events(server.request(path).build())) {
                for (Events.Event event : events.rest()) {
                    if (isDelta(event.data())) {
                        String text = event.data().get("text").stringValue();
                        texts.add(texts.removeLast() + text);
                    } else {
                        texts.add(event.type());
                        texts.add("");
                    }
                }
            }
            all.add(texts);
        }
        return all;
    }

    private static List<JsonNode> trace(TestServer server, String run) throws Exception {
        return server.get("/api/runs/" + run + "/trace")
                .body()
                .lines()
                .map(Json.MAPPER::readTree)
                .toList();
    }

    private static List<String> types(List<JsonNode> lines) {
        return lines.stream().map(line -> line.get("type").stringValue()).toList();
    }

    private static boolean isDelta(JsonNode line) {
        return line.get("type").stringValue().equals("delta");
    }
}
