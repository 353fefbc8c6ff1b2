package dev.satchel.server.node;

import static dev.satchel.server.node.NodeCalls.file;
import static dev.satchel.server.node.NodeCalls.files;
import static dev.satchel.server.node.NodeCalls.message;
import static dev.satchel.server.node.NodeCalls.turn;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.audit.AuditEvent;
import dev.satchel.server.audit.AuditStore;
import dev.satchel.server.configuration.SandboxConfiguration;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Databases;
import dev.satchel.server.objectstore.S3Settings;
import dev.satchel.server.testing.DatabaseProxy;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import dev.satchel.server.testing.TestServer.Events.Event;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/**
 * The object store is away when a turn ends, so that its files are on one disk only. Nothing
 * continues from older files until they are saved, or until a person gives them up.
 */
@Timeout(180)
class PendingWorkspaceTest {
    private static final SandboxConfiguration OWN = TestConfiguration.embedded();

    private DatabaseProxy store;
    private TestNodes nodes;
    private Path disk;
    private TestServer one;
    private TestServer other;
    private String chat;
    private String session;

    /** The first turn is in a snapshot, the second is not. */
    @BeforeEach
    void start() throws Exception {
        S3Settings bucket = TestNodes.newBucket();
        store = new DatabaseProxy(requireNonNull(bucket.endpoint()));
        nodes =
                new TestNodes(
                        new S3Settings(
                                bucket.bucket(),
                                bucket.region(),
                                store.url(),
                                bucket.pathStyle(),
                                bucket.plainUploads(),
                                bucket.credentials()));
        disk = Files.createTempDirectory("satchel-test-");
        one = nodes.start(disk, OWN, Clock.systemUTC());
        other = nodes.start(OWN);
        chat = one.newChat();
        session = "/api/sessions/" + chat;
        turn(one, chat, "/sh echo old > f.txt");
        awaitSaved(one); // a slow snapshot is pending, too
        store.cut();
    }

    @AfterEach
    void stop() throws Exception {
        nodes.close();
        store.close();
    }

    @Test
    void aTurnWithoutASnapshotIsPendingUntilItIsSaved() throws Exception {
        List<Event> events = turn(one, chat, "/sh echo new > f.txt");

        JsonNode result = events.get(events.size() - 2).data();
        assertThat(result.path("workspace").stringValue("")).isEqualTo("pending");
        JsonNode thread = other.getJson("/api/assistant/chats/" + chat);
        assertThat(thread.path("workspace").stringValue("")).isEqualTo("pending");
        assertThat(thread.at("/messages/3/workspace").stringValue("")).isEqualTo("pending");
        assertThat(thread.at("/messages/1/workspace").isMissingNode()).isTrue();

        assertThat(other.get(session + "/messages").body())
                .contains("\\\"workspace\\\":\\\"pending\\\""); // JSON in a string
        assertThat(other.get("/api/ai-sdk/chat/" + chat + "/messages").body())
                .contains("data-workspace");

        store.restore();
        awaitSaved(other);

        assertThat(newestSnapshotOf("f.txt")).isEqualTo("new\n");
        thread = other.getJson("/api/assistant/chats/" + chat);
        assertThat(thread.at("/messages/3/workspace").isMissingNode()).isTrue();
    }

    /** The server that has the files is alive: everything goes there, as always. */
    @Test
    void filesThatAreNotSavedAreReadAndChangedWhereTheyAre() throws Exception {
        turn(one, chat, "/sh echo new > f.txt");

        assertThat(other.get(files(chat) + "/f.txt").body()).isEqualTo("new\n");
        assertThat(message(turn(other, chat, "/sh cat f.txt"))).contains("new");
        assertThat(other.post(session + "/workspace/restore", Map.of()).statusCode())
                .isEqualTo(409);
        assertThat(other.get(files(chat) + "/f.txt").body()).isEqualTo("new\n");
    }

    @Test
    void nothingContinuesFromOlderFilesWhileTheNewestAreAway() throws Exception {
        turn(one, chat, "/sh echo new > f.txt");
        one.close();
        store.restore();

        try (Events refused = other.turn(Map.of("message", "/sh cat f.txt", "chatId", chat))) {
            assertThat(refused.status()).isEqualTo(503);
            assertThat(new String(refused.response().body().readAllBytes(), UTF_8))
                    .contains("\"code\":\"workspace_pending\"")
                    .contains("continue from the last saved files");
        }
        assertRefused(other.post(session + "/messages", Map.of("content", "go on")));
        assertRefused(other.post(session + "/exec", Map.of("command", "cat f.txt")));
        assertRefused(other.get(files(chat)));
        assertRefused(other.get(files(chat) + "/f.txt"));
        assertRefused(other.get(session + "/workspace?format=zip"));
        assertRefused(other.get(session + "/changes"));
        assertRefused(other.post(files(chat), Map.of("files", List.of(file("n.txt", "n")))));
        assertRefused(other.sendAs(TestServer.KEY, "DELETE", files(chat) + "/f.txt"));
        assertRefused(other.post(session + "/fork", Map.of()));
        assertThat(other.getJson("/api/assistant/chats").get("chats")).hasSize(1);
        assertThat(newestSnapshotOf("f.txt")).isEqualTo("old\n"); // by its id it can be read
    }

    /** A server that was killed counts as alive until its heartbeat expires. */
    @Test
    void aTurnIsRefusedAtOnceWhenTheServerWithTheFilesDoesNotAnswer() throws Exception {
        turn(one, chat, "/sh echo new > f.txt");
        try (Database database = Databases.postgresql(nodes.database())) {
            String keep = "CREATE TABLE killed AS SELECT * FROM node";
            String killed = "INSERT INTO node SELECT * FROM killed ON CONFLICT DO NOTHING";
            String alive = "UPDATE node SET seen_at = seen_at + 60000";
            database.change(tx -> tx.update(keep).execute());
            one.close();
            database.change(tx -> tx.update(killed).execute());
            database.change(tx -> tx.update(alive).execute());
        }
        store.restore();

        try (Events refused = other.turn(Map.of("message", "/sh cat f.txt", "chatId", chat))) {
            assertThat(refused.status()).isEqualTo(503);
            assertThat(new String(refused.response().body().readAllBytes(), UTF_8))
                    .contains("\"code\":\"workspace_pending\"");
        }
    }

    @Test
    void theWorkIsThereWhenTheServerIsBack() throws Exception {
        turn(one, chat, "/sh echo new > f.txt");
        one.close();
        store.restore();
        assertRefused(other.get(files(chat)));

        TestServer again = nodes.start(disk, OWN, Clock.systemUTC());
        awaitSaved(again);

        assertThat(newestSnapshotOf("f.txt")).isEqualTo("new\n");
        again.close();
        assertThat(message(turn(other, chat, "/sh cat f.txt"))).contains("new");
    }

    /** The server is back, but with another disk. */
    @Test
    void aMissingDirectoryIsNotReplacedByOlderFiles() throws Exception {
        turn(one, chat, "/sh echo new > f.txt");
        one.close();
        store.restore();
        Path live = disk.resolve("runner/workspaces").resolve(chat);
        Files.move(live, disk.resolve("elsewhere"));

        TestServer again = nodes.start(disk, OWN, Clock.systemUTC());

        assertRefused(again.get(files(chat)));
        assertRefused(again.post(session + "/exec", Map.of("command", "cat f.txt")));
        assertRefused(other.get(files(chat)));
        assertThat(other.post(session + "/workspace/restore", Map.of()).body())
                .contains("\"restored\":true");
        assertThat(other.get(files(chat) + "/f.txt").body()).isEqualTo("old\n");
    }

    @Test
    void aPersonCanContinueFromTheLastSavedFiles() throws Exception {
        turn(one, chat, "/sh echo new > f.txt");
        one.close();
        store.restore();

        HttpResponse<String> restored = other.post(session + "/workspace/restore", Map.of());
        HttpResponse<String> again = other.post(session + "/workspace/restore", Map.of());

        assertThat(restored.statusCode()).as(restored.body()).isEqualTo(200);
        assertThat(restored.body()).contains("\"restored\":true");
        assertThat(again.body()).contains("\"restored\":false");
        assertThat(other.get(files(chat) + "/f.txt").body()).isEqualTo("old\n");
        assertThat(message(turn(other, chat, "/sh cat f.txt; echo more >> f.txt"))).contains("old");
        assertThat(audited()).contains(Map.of("what", "files that were not saved"));
    }

    @Test
    void filesThatWereGivenUpNeverComeBack() throws Exception {
        turn(one, chat, "/sh echo new > f.txt");
        one.close();
        store.restore();
        other.post(session + "/workspace/restore", Map.of());

        TestServer again = nodes.start(disk, OWN, Clock.systemUTC());

        assertThat(again.get(files(chat) + "/f.txt").body()).isEqualTo("old\n");
        assertThat(message(turn(again, chat, "/sh cat f.txt"))).contains("old");
        assertThat(newestSnapshotOf("f.txt")).isEqualTo("old\n");
    }

    private void awaitSaved(TestServer server) throws Exception {
        while (server.getJson("/api/assistant/chats/" + chat).has("workspace")) {
            Thread.onSpinWait();
        }
    }

    private String newestSnapshotOf(String path) throws Exception {
        String at = other.getJson(session + "/snapshots").at("/snapshots/0/id").stringValue();
        HttpResponse<String> file = other.get(files(chat) + "/" + path + "?at=" + at);
        assertThat(file.headers().firstValue("X-Ash-Source")).hasValue("snapshot");
        return file.body();
    }

    private List<Map<String, String>> audited() {
        try (Database database = Databases.postgresql(nodes.database())) {
            return database.read(tx -> new AuditStore().ofSession(tx, chat)).stream()
                    .map(AuditEvent::detail)
                    .toList();
        }
    }

    private static void assertRefused(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(503);
        assertThat(response.body()).contains("are not saved yet");
        assertThat(response.headers().firstValue("Satchel-Error")).hasValue("workspace_pending");
        assertThat(response.headers().firstValue("Retry-After")).isPresent();
    }
}
