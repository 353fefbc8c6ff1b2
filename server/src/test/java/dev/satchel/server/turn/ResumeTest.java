package dev.satchel.server.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.database.Dialect;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import dev.satchel.server.testing.TestServer.Events.Event;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

class ResumeTest {
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
    void aReaderContinuesExactlyWhereItStoppedWhileTheRunContinues() throws Exception {
        try (TestServer server = TestServer.start(sandbox.url())) {
            Events events = server.turn(Map.of("message", "hello", "onDisconnect", "continue"));
            List<Event> seen = new ArrayList<>();
            seen.add(events.next().orElseThrow());
            RunOnStage run = sandbox.next().stepStarts("s1", "work");
            seen.add(events.next().orElseThrow());
            events.close();
            run.say("{\"type\":\"log\",\"level\":\"info\",\"message\":\"quiet\"}")
                    .stepSucceeds("s1", "work");

            try (Events resumed = resume(server, seen.getFirst().data(), seen.getLast().id())) {
                seen.add(resumed.next().orElseThrow());
                run.answers("done");
                seen.addAll(resumed.rest());
            }
            assertThat(seen)
                    .extracting(Event::type)
                    .containsExactly("chat", "step", "step", "result", "end");
            assertThat(seen).extracting(Event::id).doesNotHaveDuplicates();
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aFinishedRunIsReplayedFromAnyPointEvenAfterARestart(Dialect dialect) throws Exception {
        Path data = Files.createTempDirectory("satchel-test-");
        URI database = dialect == Dialect.POSTGRESQL ? TestDatabases.freshPostgresql() : null;
        List<Event> live;
        try (TestServer server = TestServer.start(data, database, sandbox.url());
                Events events = server.turn(Map.of("message", "hello"))) {
            RunOnStage run = sandbox.next();
            for (int i = 0; i < 700; i++) { // more than one page of the log
                run.stepStarts("s" + i, "work").stepSucceeds("s" + i, "work");
            }
            run.answers("done");
            live = events.rest();
        }
        try (TestServer server = TestServer.start(data, database, sandbox.url())) {
            JsonNode chat = live.getFirst().data();
            for (int from : List.of(0, 1, 600, live.size() - 2)) {
                try (Events again = resume(server, chat, live.get(from).id())) {
                    assertThat(again.rest()).isEqualTo(live.subList(from + 1, live.size()));
                }
            }
            try (Events nothing = resume(server, chat, live.getLast().id())) {
                assertThat(nothing.status()).isEqualTo(204);
            }
        }
    }

    @Test
    void aChatWithoutARunningTurnHasNoStream() throws Exception {
        try (TestServer server = TestServer.start(sandbox.url())) {
            assertThat(
                            server.get("/api/assistant/chats/" + server.newChat() + "/stream")
                                    .statusCode())
                    .isEqualTo(204);
        }
    }

    @Test
    void aPositionInARunOfAnotherChatIsNotFoundAndAnInvalidOneIsRefused() throws Exception {
        try (TestServer server = TestServer.start(sandbox.url());
                Events events = server.turn(Map.of("message", "hello"))) {
            JsonNode chat = events.next().orElseThrow().data();
            String other = "/api/assistant/chats/" + server.newChat() + "/stream?after=";

            assertThat(server.get(other + chat.get("runId").stringValue() + ":0").statusCode())
                    .isEqualTo(404);
            assertThat(server.get(other + "nonsense").statusCode()).isEqualTo(400);
            assertThat(server.get(other + "-1").statusCode()).isEqualTo(400);
            String own = "/api/assistant/chats/" + chat.get("chatId").stringValue() + "/stream";
            assertThat(server.get(own + "?after=9999").statusCode()).isEqualTo(400);
            sandbox.next().answers("done");
        }
    }

    @Test
    void aReaderThatDoesNotReadNeverSlowsTheRun() throws Exception {
        try (TestServer server = TestServer.start(sandbox.url());
                Events frozen =
                        server.turn(Map.of("message", "hello", "onDisconnect", "continue"))) {
            JsonNode chat = frozen.next().orElseThrow().data();
            RunOnStage run = sandbox.next();
            String large = "z".repeat(60_000); // far more than sockets and buffers hold
            for (int i = 0; i < 1_000; i++) {
                run.say(
                        "{\"type\":\"step\",\"id\":\"s%d\",\"name\":\"x\",\"status\":\"running\",\"args\":\"%s\"}"
                                .formatted(i, large));
            }
            run.answers("done");

            String path = "/api/runs/" + chat.get("runId").stringValue() + "/events";
            try (Events reader = server.events(server.request(path).build())) {
                assertThat(reader.rest())
                        .hasSize(1_003); // to its end, although the other reader reads nothing
            }
            assertThat(frozen.rest()).hasSize(1_002); // and the other reader catches up
        }
    }

    @Test
    void ndjsonHasTheSameEvents() throws Exception {
        try (TestServer server = TestServer.start(sandbox.url());
                Events events = server.turn(Map.of("message", "hello"))) {
            sandbox.next()
                    .say("{\"type\":\"log\",\"level\":\"info\",\"message\":\"quiet\"}")
                    .answers("done");
            List<Event> live = events.rest();
            String run = live.getFirst().data().get("runId").stringValue();

            String lines =
                    server.send(
                                    server.request("/api/runs/" + run + "/events")
                                            .header("Accept", "application/x-ndjson")
                                            .build())
                            .body();

            assertThat(lines.lines().toList())
                    .isEqualTo(live.stream().map(event -> event.data().toString()).toList());
            assertThat(server.get("/api/runs/" + run + "/trace").body().lines())
                    .hasSize(live.size() + 1);
        }
    }

    @Test
    void theStreamForbidsBufferingAndCompression() throws Exception {
        try (TestServer server = TestServer.start(sandbox.url());
                Events events = server.turn(Map.of("message", "hello"))) {
            var headers = events.response().headers();
            assertThat(headers.firstValue("X-Accel-Buffering")).contains("no");
            assertThat(headers.firstValue("Content-Encoding")).isEmpty();
            assertThat(headers.firstValue("Content-Type"))
                    .contains("text/event-stream; charset=utf-8");
            sandbox.next().answers("done");
            List<String> lines = new ArrayList<>();
            for (var line = events.line(); line.isPresent(); line = events.line()) {
                lines.add(line.get());
            }
            assertThat(lines).noneMatch(line -> line.startsWith("event:"));
        }
    }

    private static Events resume(TestServer server, JsonNode chat, String lastEventId)
            throws Exception {
        String path = "/api/assistant/chats/" + chat.get("chatId").stringValue() + "/stream";
        return server.events(server.request(path).header("Last-Event-ID", lastEventId).build());
    }
}
