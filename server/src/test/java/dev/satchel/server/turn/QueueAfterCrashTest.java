package dev.satchel.server.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Databases;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.ServerProcess;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A server process is killed with SIGKILL while messages wait; the next one sends each once. */
class QueueAfterCrashTest extends KilledServerFixture {
    private static final String SEND = "/api/assistant/chat/stream";

    @Test
    void onSqliteTheyRunAfterTheRestart() throws Exception {
        String chat = killedWithTwoQueued(null);

        try (TestServer server = TestServer.start(data, null, sandbox.url())) {
            assertSentOnce(server, chat);
        }
    }

    @Test
    void onPostgresqlAnotherServerRunsThemWhenTheLeaseHasRunOut() throws Exception {
        URI database = TestDatabases.freshPostgresql();
        String chat = killedWithTwoQueued(database);
        try (Database open = Databases.postgresql(database)) {
            open.change(tx -> tx.update("UPDATE run SET lease_until = 0").execute());
        }
        Path other = Files.createTempDirectory("satchel-test-");

        try (TestServer server = TestServer.start(other, database, sandbox.url())) {
            assertSentOnce(server, chat);
        }
    }

    private String killedWithTwoQueued(@Nullable URI database) throws Exception {
        try (ServerProcess victim = ServerProcess.start(data, database, sandbox.url());
                Events events = victim.turn("one")) {
            String chat = events.next().orElseThrow().data().get("chatId").stringValue();
            RunOnStage run = sandbox.next();
            for (String text : List.of("two", "three")) {
                Map<String, String> body =
                        Map.of("message", text, "chatId", chat, "whenBusy", "queue");
                assertThat(
                                victim.send("POST", SEND, Json.MAPPER.writeValueAsString(body))
                                        .statusCode())
                        .isEqualTo(202);
            }
            victim.kill();
            assertThat(run.wasHungUpOn()).isTrue();
            return chat;
        }
    }

    private void assertSentOnce(TestServer server, String chat) throws Exception {
        sandbox.next().answers("2");
        RunOnStage last = sandbox.next();
        try (Events events =
                server.events(server.request("/api/assistant/chats/" + chat + "/stream").build())) {
            last.answers("3");
            events.rest();
        }
        server.sweep();

        assertThat(sandbox.nothingDispatched()).isTrue();
        JsonNode messages = server.getJson("/api/assistant/chats/" + chat).get("messages");
        assertThat(
                        messages.valueStream()
                                .filter(message -> message.get("role").stringValue().equals("user"))
                                .map(message -> message.at("/content/0/text").stringValue()))
                .containsExactly("one", "two", "three");
    }
}
