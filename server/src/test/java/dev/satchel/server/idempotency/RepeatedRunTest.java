package dev.satchel.server.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.ServerProcess;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RepeatedRunTest {
    private static final String TURN = "/api/assistant/chat/stream";

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
    void aRepeatedTurnJoinsTheLiveStreamFromItsStart(Dialect dialect) throws Exception {
        try (TestServer server = TestServer.start(dialect, sandbox.url());
                Events first = server.events(turn(server, "hello"))) {
            RunOnStage run = sandbox.next();
            run.stepStarts("s1", "bash");
            assertThat(first.next().orElseThrow().type()).isEqualTo("chat");
            assertThat(first.next().orElseThrow().type()).isEqualTo("step");

            try (Events second = server.events(turn(server, "hello"))) {
                assertThat(second.response().headers().firstValue("Idempotency-Replayed"))
                        .hasValue("true");
                assertThat(second.next().orElseThrow().type()).isEqualTo("chat");
                assertThat(second.next().orElseThrow().type()).isEqualTo("step");
                run.answers("hi");

                assertThat(second.rest()).isEqualTo(first.rest()).hasSize(2);
            }
            assertThat(sandbox.nothingDispatched()).isTrue();
        }
    }

    @Test
    void aClientWithAKeyMayReconnect() throws Exception {
        try (TestServer server = TestServer.start(sandbox.url())) {
            Events lost = server.events(turn(server, "hello"));
            RunOnStage run = sandbox.next();
            run.stepStarts("s1", "bash");
            assertThat(lost.next().orElseThrow().type()).isEqualTo("chat");
            lost.close();

            try (Events back = server.events(turn(server, "hello"))) {
                assertThat(back.next().orElseThrow().type()).isEqualTo("chat");
                assertThat(back.next().orElseThrow().type()).isEqualTo("step");
                run.answers("still here");
                assertThat(back.rest().getFirst().type()).isEqualTo("result");
            }
        }
    }

    @Test
    void aKeyAndACancelInTheBodyStillCancels() throws Exception {
        try (TestServer server = TestServer.start(sandbox.url())) {
            Map<String, String> body = Map.of("message", "hello", "onDisconnect", "cancel");
            Events gone = server.events(keyed(server, TURN, body));
            RunOnStage run = sandbox.next();
            run.stepStarts("s1", "bash");
            assertThat(gone.next().orElseThrow().type()).isEqualTo("chat");
            gone.close();

            assertThat(run.wasHungUpOn()).isTrue();
        }
    }

    @Test
    void aRepeatAfterTheEndGetsTheWholeRun() throws Exception {
        try (TestServer server = TestServer.start(sandbox.url());
                Events first = server.events(turn(server, "hello"))) {
            sandbox.next().answers("hi");
            List<Events.Event> told = first.rest();

            assertThat(server.events(turn(server, "hello")).rest()).isEqualTo(told);
            assertThat(server.send(turn(server, "something else")).statusCode()).isEqualTo(422);
            assertThat(sandbox.nothingDispatched()).isTrue();
        }
    }

    @Test
    void aRepeatDoesNotRestoreADeletedChat() throws Exception {
        try (TestServer server = TestServer.start(sandbox.url());
                Events first = server.events(turn(server, "hello"))) {
            sandbox.next().answers("hi");
            String chat = first.next().orElseThrow().data().get("chatId").stringValue();
            assertThat(first.rest()).isNotEmpty();
            server.sendAs(TestServer.KEY, "DELETE", "/api/assistant/chats/" + chat);

            assertThat(server.send(turn(server, "hello")).statusCode()).isEqualTo(404);
        }
    }

    @Test
    void aTurnThatWasRefusedMayBeSentAgain() throws Exception {
        try (TestServer server = TestServer.start(sandbox.url())) {
            String chat = server.newChat();
            Map<String, String> body = Map.of("message", "hello", "chatId", chat);
            try (Events busy = server.turn(Map.of("message", "first", "chatId", chat))) {
                RunOnStage run = sandbox.next();
                HttpResponse<String> refused = server.send(keyed(server, TURN, body));
                assertThat(refused.statusCode()).isEqualTo(409);
                assertThat(refused.body()).contains("turn_in_progress");
                run.answers("done");
                assertThat(busy.rest()).isNotEmpty();
            }

            try (Events again = server.events(keyed(server, TURN, body))) {
                sandbox.next().answers("now");
                assertThat(again.status()).isEqualTo(200);
                assertThat(again.rest()).hasSize(3);
            }
        }
    }

    @Test
    void twoRequestsForOneHeadlessRunGetTheSameResponse() throws Exception {
        try (TestServer server = TestServer.start(sandbox.url());
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            String made = server.post("/api/agents", Map.of("name", "helper")).body();
            String path =
                    "/api/agents/" + Json.MAPPER.readTree(made).get("id").stringValue() + "/runs";
            HttpRequest request = keyed(server, path, Map.of("prompt", "go"));

            Future<HttpResponse<String>> one = threads.submit(() -> server.send(request));
            Future<HttpResponse<String>> two = threads.submit(() -> server.send(request));
            sandbox.next().answers("done");

            assertThat(one.get().statusCode()).isEqualTo(200);
            assertThat(two.get().body()).isEqualTo(one.get().body()).contains("done");
            assertThat(sandbox.nothingDispatched()).isTrue();
        }
    }

    @Test
    void aTurnOfAKilledServerIsNotStartedAgain(@TempDir Path data) throws Exception {
        try (ServerProcess killed = ServerProcess.start(data, null, sandbox.url())) {
            Events first = killed.turn("hello", "once");
            sandbox.next().stepStarts("s1", "bash");
            assertThat(first.next().orElseThrow().type()).isEqualTo("chat");
            assertThat(first.next().orElseThrow().type()).isEqualTo("step");
            killed.kill();
        }
        try (ServerProcess next = ServerProcess.start(data, null, sandbox.url());
                Events again = next.turn("hello", "once")) {
            List<Events.Event> told = again.rest();

            assertThat(told)
                    .extracting(Events.Event::type)
                    .containsExactly("chat", "step", "error", "end");
            assertThat(told.getLast().data().get("status").stringValue()).isEqualTo("interrupted");
            assertThat(sandbox.nothingDispatched()).isTrue();
        }
    }

    @Test
    void aRunWithoutAnUpdatedKeyIsFoundByItsId(@TempDir Path data) throws Exception {
        URI database = TestDatabases.freshPostgresql();
        try (TestServer server = TestServer.start(data, database, sandbox.url());
                Events first = server.events(turn(server, "hello"))) {
            sandbox.next().answers("hi");
            List<Events.Event> told = first.rest();
            StoredResponseRows.forgetWhatHasBegun(database);

            assertThat(server.events(turn(server, "hello")).rest()).isEqualTo(told);
            assertThat(sandbox.nothingDispatched()).isTrue();
        }
    }

    private static HttpRequest turn(TestServer server, String message) {
        return keyed(server, TURN, Map.of("message", message));
    }

    private static HttpRequest keyed(TestServer server, String path, Map<String, String> body) {
        return server.request(path)
                .header("Idempotency-Key", "once")
                .POST(
                        BodyPublishers.ofString(
                                Json.MAPPER.writeValueAsString(new java.util.TreeMap<>(body))))
                .build();
    }
}
