package dev.satchel.server.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.database.Database;
import dev.satchel.server.database.Databases;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.ServerProcess;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A server dies with three runs, and one of them cannot be ended as usual. */
class UnreadableRunTest {
    @TempDir Path data;

    @Test
    void aRunWhoseLogCannotBeReadEndsWithoutItsSteps() throws Exception {
        List<String> chats = killedDuringThreeRuns();
        change(
                database ->
                        database.change(
                                tx ->
                                        tx.update(
                                                        """
                                                        UPDATE run_line SET body = 'no JSON' WHERE type = 'step' AND run_id =
                                                          (SELECT active_run_id FROM conversation WHERE id = :id)
                                                        """)
                                                .bind("id", chats.getFirst())
                                                .execute()));

        try (TestServer server = TestServer.start(data, null, null)) {
            assertThat(content(server, chats.getFirst()))
                    .extracting(block -> block.get("type").stringValue())
                    .containsExactly("end");
            for (String other : chats.subList(1, 3)) {
                assertThat(content(server, other))
                        .extracting(block -> block.get("type").stringValue())
                        .containsExactly("step", "end");
            }
        }
    }

    @Test
    void aRunThatCannotBeEndedKeepsNeitherTheStartNorTheOthers() throws Exception {
        List<String> chats = killedDuringThreeRuns();
        for (String broken : chats.subList(0, 1)) {
            change(
                    database ->
                            database.change(
                                    tx -> // its message would get a number that another has
                                    tx.update(
                                                            "UPDATE conversation SET message_count = 0 WHERE id = :id")
                                                    .bind("id", broken)
                                                    .execute()));
        }

        try (TestServer server = TestServer.start(data, null, null)) {
            for (String other : chats.subList(1, 3)) {
                assertThat(
                                server.getJson("/api/assistant/chats/" + other)
                                        .get("activeRun")
                                        .isNull())
                        .isTrue();
            }
            assertThat(
                            server.getJson("/api/assistant/chats/" + chats.getFirst())
                                    .get("activeRun")
                                    .isNull())
                    .isFalse();
        }
    }

    private List<String> killedDuringThreeRuns() throws Exception {
        List<String> chats = new ArrayList<>();
        List<Events> open = new ArrayList<>();
        try (ScriptedSandbox sandbox = new ScriptedSandbox();
                ServerProcess server = ServerProcess.start(data, null, sandbox.url())) {
            for (int i = 0; i < 3; i++) {
                Events events = server.turn("hello");
                open.add(events);
                chats.add(events.next().orElseThrow().data().get("chatId").stringValue());
                sandbox.next().stepStarts("s1", "one");
                assertThat(events.next()).isPresent(); // seen, hence durable
            }
            server.kill();
        }
        for (Events events : open) {
            events.close();
        }
        return chats;
    }

    private void change(Consumer<Database> work) {
        try (Database database = Databases.sqlite(data.resolve("satchel.db"))) {
            work.accept(database);
        }
    }

    private static List<JsonNode> content(TestServer server, String chat) throws Exception {
        JsonNode read = server.getJson("/api/assistant/chats/" + chat);
        assertThat(read.get("activeRun").isNull()).isTrue();
        return read.at("/messages/1/content").valueStream().toList();
    }
}
