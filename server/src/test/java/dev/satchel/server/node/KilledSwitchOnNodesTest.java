package dev.satchel.server.node;

import static dev.satchel.server.node.NodeCalls.files;
import static dev.satchel.server.node.NodeCalls.message;
import static dev.satchel.server.node.NodeCalls.turn;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Databases;
import dev.satchel.server.objectstore.S3Settings;
import dev.satchel.server.testing.DatabaseProxy;
import dev.satchel.server.testing.ServerProcess;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * The server that has the files is killed in a switch, after its transaction and before the files
 * are there: it waits for their contents, since the object store does not answer.
 */
@Timeout(240)
class KilledSwitchOnNodesTest {
    @TempDir private Path disk;
    private DatabaseProxy store;
    private TestNodes nodes;
    private Database database;
    private ServerProcess home;
    private String chat;
    private List<String> ids;

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
        database = Databases.postgresql(nodes.database());
        home = ServerProcess.start(disk, nodes.environment());
        chat = newChat();
        write("/sh printf 1 > a.txt; printf same > same.txt");
        write("/sh printf 2 > a.txt; printf b > b.txt");
        ids = ids();
        store.silence();
        try (AutoCloseable _ = switching(ids.get(1))) {
            while (!isUnfinished()) {
                Thread.onSpinWait();
            }
            home.kill();
        }
        assertThat(isUnfinished()).isTrue();
        store.restore();
    }

    @AfterEach
    void stop() throws Exception {
        home.close();
        database.close();
        nodes.close();
        store.close();
    }

    @Test
    void anotherServerContinuesWithTheNewHeadAndItsFiles() throws Exception {
        TestServer other = nodes.start(TestConfiguration.embedded());
        awaitFiles(other);

        assertFirst(other);
        assertThat(message(turn(other, chat, "/sh cat a.txt; ls; printf c > c.txt")))
                .contains("1a.txt\nsame.txt");
        assertThat(isUnfinished()).isFalse();
        HttpResponse<String> back =
                other.post(
                        "/api/assistant/chats/" + chat + "/head", Map.of("messageId", ids.get(3)));
        assertThat(back.statusCode()).as(back.body()).isEqualTo(200);
        assertThat(other.get(files(chat) + "/a.txt").body()).isEqualTo("2");
        assertThat(other.get(files(chat) + "/b.txt").body()).isEqualTo("b");

        home = ServerProcess.start(disk, nodes.environment()); // with what it had on its disk
        assertThat(home.send("GET", files(chat) + "/a.txt", "").body()).isEqualTo("2");
        assertThat(home.send("GET", files(chat) + "/c.txt", "").statusCode()).isEqualTo(404);
    }

    @Test
    void theSameServerDoesTheRestWhenItIsBack() throws Exception {
        home = ServerProcess.start(disk, nodes.environment());

        write("/sh ls > list.txt");

        assertThat(home.send("GET", files(chat) + "/list.txt", "").body())
                .isEqualTo("a.txt\nlist.txt\nsame.txt\n");
        assertThat(home.send("GET", files(chat) + "/a.txt", "").body()).isEqualTo("1");
        assertThat(isUnfinished()).isFalse();
    }

    /** The switch was acknowledged to nobody; its transaction counts all the same. */
    private void assertFirst(TestServer server) throws Exception {
        assertThat(server.getJson("/api/assistant/chats/" + chat).get("messages")).hasSize(2);
        assertThat(server.get(files(chat) + "/a.txt").body()).isEqualTo("1");
        assertThat(server.get(files(chat) + "/same.txt").body()).isEqualTo("same");
        assertThat(server.get(files(chat) + "/b.txt").statusCode()).isEqualTo(404);
    }

    /** A server that was killed counts as alive until its heartbeat expires. */
    private void awaitFiles(TestServer server) throws Exception {
        while (server.get(files(chat)).statusCode() >= 500) {
            Thread.onSpinWait();
        }
    }

    /** Begins a switch that the server does not survive. */
    private AutoCloseable switching(String message) {
        String wanted = Json.MAPPER.writeValueAsString(Map.of("messageId", message, "exact", true));
        Thread request =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        home.send(
                                                "POST",
                                                "/api/assistant/chats/" + chat + "/head",
                                                wanted);
                                    } catch (IOException | InterruptedException e) {
                                        // the server was killed
                                    }
                                });
        return request::join;
    }

    private boolean isUnfinished() {
        String count = "SELECT COUNT(*) FROM workspace_restore";
        return database.read(tx -> tx.query(count).mapTo(Long.class).one()) > 0;
    }

    private String newChat() throws Exception {
        HttpResponse<String> created = home.send("POST", "/api/assistant/chats", "{}");
        return Json.MAPPER.readTree(created.body()).get("id").stringValue();
    }

    private void write(String message) throws Exception {
        try (Events events = home.turn(Map.of("chatId", chat, "message", message))) {
            assertThat(events.rest().getLast().data().get("status").stringValue())
                    .isEqualTo("succeeded");
        }
    }

    private List<String> ids() throws Exception {
        List<String> found = new ArrayList<>();
        for (JsonNode message :
                Json.MAPPER
                        .readTree(home.send("GET", "/api/assistant/chats/" + chat, "").body())
                        .get("messages")) {
            found.add(message.get("id").stringValue());
        }
        return found;
    }
}
