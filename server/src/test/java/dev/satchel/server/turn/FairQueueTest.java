package dev.satchel.server.turn;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.limit.LimitDefaults;
import dev.satchel.server.limit.LimitName;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import dev.satchel.server.testing.TestServer.Events.Event;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs that find no free place wait in a queue that serves tenants in turn. */
class FairQueueTest {
    @TempDir Path data;

    private ScriptedSandbox sandbox;

    @BeforeEach
    void start() throws Exception {
        sandbox = new ScriptedSandbox();
    }

    @AfterEach
    void stop() {
        sandbox.close();
    }

    @Test
    void tenantsAreServedInTurn() throws Exception {
        try (TestServer server = server(LimitDefaults.NONE.withMaxRuns(1));
                Events first = turn(server, TestServer.KEY, "first")) {
            String other = server.keyOf("other");
            RunOnStage running = sandbox.next();
            try (Events second = turn(server, TestServer.KEY, "second");
                    Events third = turn(server, TestServer.KEY, "third")) {
                assertThat(position(second)).isEqualTo(1);
                assertThat(position(third)).isEqualTo(2);
                try (Events fourth = turn(server, other, "fourth")) {
                    assertThat(position(fourth)).isEqualTo(1);
                    assertThat(position(second)).isEqualTo(2);
                    assertThat(position(third)).isEqualTo(3);

                    running.answers("1");
                    first.rest();
                    running = sandbox.next();
                    assertThat(running.dispatch().prompt()).isEqualTo("fourth");
                    assertThat(position(fourth)).isZero();
                    running.answers("4");
                    assertThat(fourth.rest()).extracting(Event::type).contains("result");
                }
                running = sandbox.next();
                assertThat(running.dispatch().prompt()).isEqualTo("second");
                running.answers("2");
                sandbox.next().answers("3");
                assertThat(third.rest()).extracting(Event::type).contains("result", "end");
            }
        }
    }

    @Test
    void theLimitOfATenantLeavesAPlaceForOthers() throws Exception {
        LimitDefaults limits = LimitDefaults.NONE.withMaxRuns(2).withTenant(LimitName.RUNS, 1);
        try (TestServer server = server(limits)) {
            String other = server.keyOf("other");
            try (Events first = turn(server, TestServer.KEY, "first");
                    Events second = turn(server, TestServer.KEY, "second")) {
                RunOnStage running = sandbox.next();
                assertThat(position(second)).isEqualTo(1);
                try (Events third = turn(server, other, "third")) {
                    RunOnStage beside = sandbox.next();
                    assertThat(beside.dispatch().prompt()).isEqualTo("third");
                    beside.answers("3");
                    assertThat(third.rest()).extracting(Event::type).contains("result");
                }
                assertThat(sandbox.nothingDispatched()).isTrue();
                running.answers("1");
                first.rest();
                sandbox.next().answers("2");
                second.rest();
            }
        }
    }

    @Test
    void theOnlyTenantMayUseEveryPlace() throws Exception {
        LimitDefaults limits = LimitDefaults.NONE.withMaxRuns(2).withTenant(LimitName.RUNS, 1);
        try (TestServer server = server(limits);
                Events first = turn(server, TestServer.KEY, "first");
                Events second = turn(server, TestServer.KEY, "second")) {
            sandbox.next().answers("1");
            sandbox.next().answers("2");

            assertThat(first.rest()).extracting(Event::type).doesNotContain("queued");
            assertThat(second.rest()).extracting(Event::type).doesNotContain("queued");
        }
    }

    @Test
    void aWaitingRunCanBeCancelled() throws Exception {
        try (TestServer server = server(LimitDefaults.NONE.withMaxRuns(1));
                Events _ = turn(server, TestServer.KEY, "first");
                Events second = turn(server, TestServer.KEY, "second");
                Events third = turn(server, TestServer.KEY, "third")) {
            RunOnStage running = sandbox.next();
            String waiting = second.next().orElseThrow().data().get("runId").stringValue();
            assertThat(position(third)).isEqualTo(2);

            assertThat(server.post("/api/runs/" + waiting + "/cancel", Map.of()).body())
                    .isEqualTo("{\"cancelled\":true}");

            List<Event> rest = second.rest();
            assertThat(rest.getLast().data().get("status").stringValue()).isEqualTo("cancelled");
            assertThat(position(third)).isEqualTo(1);
            running.answers("1");
            running = sandbox.next();
            assertThat(running.dispatch().prompt()).isEqualTo("third");
            running.answers("3");
            third.rest();
        }
    }

    @Test
    void aClientThatGoesAwayLeavesTheQueue() throws Exception {
        try (TestServer server = server(LimitDefaults.NONE.withMaxRuns(1));
                Events first = turn(server, TestServer.KEY, "first")) {
            RunOnStage running = sandbox.next();
            String gone;
            try (Events second = turn(server, TestServer.KEY, "second")) {
                gone = second.next().orElseThrow().data().get("runId").stringValue();
                assertThat(position(second)).isEqualTo(1);
            }
            try (Events end =
                    server.events(server.request("/api/runs/" + gone + "/events").build())) {
                List<Event> events = end.rest();
                assertThat(events.getLast().data().get("status").stringValue())
                        .isEqualTo("cancelled");
            }
            running.answers("1");
            first.rest();
            assertThat(sandbox.nothingDispatched()).isTrue();
        }
    }

    @Test
    void aQueueThatIsFullRefusesOneMore() throws Exception {
        LimitDefaults limits = new LimitDefaults(1, 1, 0, Map.of(), Map.of());
        try (TestServer server = server(limits);
                Events first = turn(server, TestServer.KEY, "first");
                Events second = turn(server, TestServer.KEY, "second");
                Events third = turn(server, TestServer.KEY, "third")) {
            assertThat(first.status()).isEqualTo(200);
            assertThat(second.status()).isEqualTo(200);
            assertThat(third.status()).isEqualTo(429);
            assertThat(new String(third.response().body().readAllBytes(), UTF_8))
                    .contains("\"code\":\"too_many_runs\"")
                    .contains("1 turns and runs of this workspace wait for a free place");
            sandbox.next().answers("1");
            sandbox.next().answers("2");
            second.rest();
        }
    }

    private TestServer server(LimitDefaults limits) throws Exception {
        return TestServer.start(
                TestConfiguration.withLimits(
                        TestServer.configuration(data, null, sandbox.url()), limits),
                Clock.systemUTC());
    }

    private static Events turn(TestServer server, String key, String message) throws Exception {
        String body = Json.MAPPER.writeValueAsString(Map.of("message", message));
        return server.events(
                server.request("/api/assistant/chat/stream")
                        .setHeader("Authorization", "Bearer " + key)
                        .POST(BodyPublishers.ofString(body))
                        .build());
    }

    /** The place that the next such event has. */
    private static long position(Events events) throws Exception {
        while (true) {
            Event event = events.next().orElseThrow();
            if (event.type().equals("queued")) {
                return event.data().get("position").longValue();
            }
        }
    }
}
