package dev.satchel.server.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.access.MovableClock;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Databases;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.schedule.MonotonicClock;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.ServerProcess;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import java.net.URI;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** A server process is killed with SIGKILL during a turn, and the next one ends the run. */
class LeaseTest extends KilledServerFixture {
    @Test
    void onSqliteTheNextStartFreesTheConversationAtOnce() throws Exception {
        String chat = killedInTheMiddleOfATurn(null);

        try (TestServer server = TestServer.start(data, null, sandbox.url())) {
            assertInterruptedAndUsable(server, chat);
        }
    }

    @Test
    void onPostgresqlItIsFreedByItselfWhenTheLeaseHasRunOut() throws Exception {
        URI database = TestDatabases.freshPostgresql();
        String chat = killedInTheMiddleOfATurn(database);

        try (TestServer early = TestServer.start(data, database, sandbox.url())) {
            assertThat(
                            early.post(
                                            "/api/assistant/chat/stream",
                                            Map.of("message", "too early", "chatId", chat))
                                    .statusCode())
                    .isEqualTo(409);
        }
        letLeasesRunOut(database);
        try (TestServer server = TestServer.start(data, database, sandbox.url())) {
            try (Events events = server.events(server.request(streamOf(server, chat)).build())) {
                events.rest(); // ends when a sweep has ended the run
            }
            assertInterruptedAndUsable(server, chat);
        }
    }

    /** The clocks of two servers may differ by more than a lease: the database's clock is used. */
    @Test
    void aServerWhoseClockIsFastDoesNotEndTheRunsOfAnother() throws Exception {
        URI database = TestDatabases.freshPostgresql();
        Clock fast = Clock.offset(Clock.systemUTC(), Duration.ofHours(1));
        try (TestServer server = TestServer.start(data, database, sandbox.url());
                Events events = server.turn(Map.of("message", "hello"))) {
            String chat = events.next().orElseThrow().data().get("chatId").stringValue();
            RunOnStage run = sandbox.next();
            try (TestServer other =
                    TestServer.start(
                            TestServer.configuration(
                                    Files.createTempDirectory("satchel-test-"),
                                    database,
                                    sandbox.url()),
                            fast)) {
                assertThat(
                                other.post(
                                                "/api/assistant/chat/stream",
                                                Map.of("message", "mine", "chatId", chat))
                                        .statusCode())
                        .isEqualTo(409);
            }
            run.answers("still here");
            assertThat(events.rest().getLast().data().get("status").stringValue())
                    .isEqualTo("succeeded");
        }
    }

    /**
     * The system time is changed: that makes a run neither silent nor too long nor without an
     * owner, not even for the next sweep.
     */
    @Test
    @Timeout(120) // if the run were ended, the test would wait for ever
    void aClockThatJumpsEndsNoRun() throws Exception {
        MovableClock wall = new MovableClock();
        try (TestServer server =
                        TestServer.start(
                                TestServer.configuration(data, null, sandbox.url()),
                                wall,
                                new MonotonicClock());
                Events events = server.turn(Map.of("message", "hello"))) {
            RunOnStage run = sandbox.next();
            wall.advance(Duration.ofDays(1));
            server.sweep();
            String chat = events.next().orElseThrow().data().get("chatId").stringValue();
            assertThat(
                            server.post(
                                            "/api/assistant/chat/stream",
                                            Map.of("message", "mine", "chatId", chat))
                                    .statusCode())
                    .isEqualTo(409);
            run.answers("still here");
            assertThat(events.rest().getLast().data().get("status").stringValue())
                    .isEqualTo("succeeded");
        }
    }

    /** As if 30 seconds had passed since the last renewal. */
    private static void letLeasesRunOut(URI database) {
        try (Database open = Databases.postgresql(database)) {
            open.change(tx -> tx.update("UPDATE run SET lease_until = 0").execute());
        }
    }

    private static String streamOf(TestServer server, String chat) throws Exception {
        String run =
                server.getJson("/api/assistant/chats/" + chat).at("/activeRun/id").asString("");
        return run.isEmpty() ? "/livez" : "/api/runs/" + run + "/events";
    }

    /** Returns the chat whose turn had reached one finished and one running step. */
    private String killedInTheMiddleOfATurn(@org.jspecify.annotations.Nullable URI database)
            throws Exception {
        try (ServerProcess victim = ServerProcess.start(data, database, sandbox.url());
                Events events = victim.turn("hello")) {
            String chat = events.next().orElseThrow().data().get("chatId").stringValue();
            RunOnStage run = sandbox.next();
            run.stepStarts("s1", "one").stepSucceeds("s1", "one").stepStarts("s2", "two");
            for (int i = 0; i < 3; i++) {
                assertThat(events.next()).isPresent(); // seen, hence durable
            }
            victim.kill();
            assertThat(run.wasHungUpOn()).isTrue();
            return chat;
        }
    }

    private void assertInterruptedAndUsable(TestServer server, String chat) throws Exception {
        try (Events events = server.turn(Map.of("message", "again", "chatId", chat))) {
            assertThat(events.status()).isEqualTo(200);
            sandbox.next().answers("fine");
            assertThat(events.rest().getLast().data().get("status").stringValue())
                    .isEqualTo("succeeded");
        }
        JsonNode content = server.getJson("/api/assistant/chats/" + chat).at("/messages/1/content");
        List<String> statuses =
                content.valueStream().map(block -> block.get("status").stringValue()).toList();
        assertThat(statuses).containsExactly("succeeded", "interrupted", "interrupted");
    }
}
