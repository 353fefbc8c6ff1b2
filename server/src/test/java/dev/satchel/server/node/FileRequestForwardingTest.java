package dev.satchel.server.node;

import static dev.satchel.server.node.NodeCalls.file;
import static dev.satchel.server.node.NodeCalls.files;
import static dev.satchel.server.node.NodeCalls.message;
import static dev.satchel.server.node.NodeCalls.turn;
import static java.net.http.HttpRequest.BodyPublishers.noBody;
import static java.net.http.HttpResponse.BodyHandlers.discarding;
import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.configuration.SandboxConfiguration;
import dev.satchel.server.testing.CheckedHttpClient;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Every server has a runner and a disk of its own; a workspace is on one of them. */
class FileRequestForwardingTest {
    private static final HttpClient CLIENT = CheckedHttpClient.create();

    private TestNodes nodes;
    private Path disk;
    private TestServer one;
    private TestServer other;

    @BeforeEach
    void start() throws Exception {
        nodes = new TestNodes();
        disk = Files.createTempDirectory("satchel-test-");
        SandboxConfiguration own = TestConfiguration.embedded();
        one = nodes.start(disk, own, Clock.systemUTC());
        other = nodes.start(own);
    }

    @AfterEach
    void stop() {
        nodes.close();
    }

    @Test
    void aWorkspaceIsListedAndReadLiveThroughTheOtherServer() throws Exception {
        String chat = one.newChat();
        turn(one, chat, "/sh mkdir -p a && printf 0123456789 > a/b.txt && ln -s b.txt a/link");

        JsonNode listed = other.getJson(files(chat));
        assertThat(listed.get("source").stringValue()).isEqualTo("sandbox");
        assertThat(listed.get("files").toString())
                .isEqualTo(one.getJson(files(chat)).get("files").toString());
        HttpResponse<String> whole = other.get(files(chat) + "/a/link");
        assertThat(whole.body()).isEqualTo("0123456789");
        assertThat(whole.headers().firstValue("X-Ash-Source")).hasValue("sandbox");
        assertThat(whole.headers().firstValue("ETag"))
                .isEqualTo(one.get(files(chat) + "/a/link").headers().firstValue("ETag"));
        assertThat(other.get(files(chat) + "/a/none").statusCode()).isEqualTo(404);
        assertThat(other.get(files(chat) + "/a").statusCode()).isEqualTo(400);
    }

    @Test
    void theTextOfAFileIsReadByTheServerThatHasIt() throws Exception {
        String chat = one.newChat();
        turn(one, chat, "/sh printf snapshot > b.txt");
        Files.writeString(liveOnOne(chat).resolve("b.txt"), "only live");

        HttpResponse<String> text = other.get("/api/sessions/" + chat + "/text/b.txt");

        assertThat(text.headers().firstValue("X-Ash-Source")).hasValue("sandbox");
        assertThat(text.body()).contains("\"status\":\"ready\"").contains("only live");
    }

    @Test
    void aRangeIsForwarded() throws Exception {
        String chat = one.newChat();
        turn(one, chat, "/sh printf 0123456789 > b.txt");

        HttpResponse<String> part =
                other.send(
                        other.request(files(chat) + "/b.txt").header("Range", "bytes=3-5").build());

        assertThat(part.statusCode()).isEqualTo(206);
        assertThat(part.body()).isEqualTo("345");
        assertThat(part.headers().firstValue("Content-Range")).hasValue("bytes 3-5/10");
    }

    @Test
    void anArchiveIsForwarded() throws Exception {
        String chat = one.newChat();
        turn(one, chat, "/sh mkdir d && printf x > d/x.txt");

        HttpResponse<String> zip = other.get("/api/sessions/" + chat + "/workspace?format=zip");

        assertThat(zip.statusCode()).isEqualTo(200);
        assertThat(zip.body()).startsWith("PK").contains("d/x.txt");
    }

    @Test
    void aChangeThroughTheOtherServerIsMadeOnTheDiskOfTheHome() throws Exception {
        String chat = one.newChat();
        turn(one, chat, "/sh printf x > old.txt");

        assertThat(
                        other.post(
                                        files(chat),
                                        Map.of("files", List.of(file("new/n.txt", "fresh"))))
                                .statusCode())
                .isEqualTo(200);
        assertThat(other.sendAs(TestServer.KEY, "DELETE", files(chat) + "/old.txt").statusCode())
                .isEqualTo(200);

        assertThat(liveOnOne(chat).resolve("new/n.txt")).hasContent("fresh");
        assertThat(liveOnOne(chat).resolve("old.txt")).doesNotExist();
        assertThat(message(turn(other, chat, "/view new/n.txt"))).contains("fresh");
    }

    /** The server may be lost before the next turn. */
    @Test
    void aChangeIsInASnapshotBeforeItIsAcknowledged() throws Exception {
        String chat = one.newChat();
        other.post(files(chat), Map.of("files", List.of(file("n.txt", "fresh"))));

        JsonNode kept = one.getJson("/api/sessions/" + chat + "/snapshots").get("snapshots").get(0);
        String at = "?at=" + kept.get("id").stringValue();
        assertThat(one.get(files(chat) + "/n.txt" + at).body()).isEqualTo("fresh");

        other.sendAs(TestServer.KEY, "DELETE", files(chat) + "/n.txt");
        JsonNode newest =
                one.getJson("/api/sessions/" + chat + "/snapshots").get("snapshots").get(0);
        assertThat(newest.get("files").intValue()).isZero();
    }

    @Test
    void theSnapshotReplacesTheWorkspaceOfAServerThatIsDown() throws Exception {
        String chat = one.newChat();
        turn(one, chat, "/sh echo kept > log.txt");
        one.close();

        JsonNode listed = other.getJson(files(chat));
        assertThat(listed.get("source").stringValue()).isEqualTo("snapshot");
        assertThat(other.get(files(chat) + "/log.txt").body()).isEqualTo("kept\n");

        turn(other, chat, "/sh echo more >> log.txt");
        TestServer again = nodes.start(disk, TestConfiguration.embedded(), Clock.systemUTC());
        assertThat(again.get(files(chat) + "/log.txt").body()).isEqualTo("kept\nmore\n");
        turn(again, chat, "/sh echo back >> log.txt");
        assertThat(other.get(files(chat) + "/log.txt").body()).isEqualTo("kept\nmore\nback\n");
    }

    @Test
    void aRestartedServerStillHasItsLiveWorkspaces() throws Exception {
        String chat = one.newChat();
        turn(one, chat, "/sh echo kept > log.txt");
        one.close();

        TestServer again = nodes.start(disk, TestConfiguration.embedded(), Clock.systemUTC());

        assertThat(again.getJson(files(chat)).get("source").stringValue()).isEqualTo("sandbox");
        assertThat(other.getJson(files(chat)).get("source").stringValue()).isEqualTo("sandbox");
    }

    @Test
    void deletingAConversationThroughTheOtherServerDeletesTheFiles() throws Exception {
        String chat = one.newChat();
        turn(one, chat, "/sh echo x > x.txt");
        assertThat(liveOnOne(chat)).exists();

        other.sendAs(TestServer.KEY, "DELETE", "/agent-server/api/sessions/" + chat);

        assertThat(liveOnOne(chat)).doesNotExist();
        assertThat(one.get(files(chat)).statusCode()).isEqualTo(404);
    }

    @Test
    void internalRoutesRequireTheSecretOfTheServers() throws Exception {
        String chat = one.newChat();
        turn(one, chat, "/sh echo x > x.txt");
        String workspace = "/internal/workspaces/" + chat;

        for (HttpRequest request :
                List.of(
                        one.request(workspace + "/snapshot").POST(noBody()).build(),
                        one.request(workspace).DELETE().build())) {
            assertThat(CLIENT.send(request, discarding()).statusCode()).isEqualTo(401);
        }
        assertThat(liveOnOne(chat)).exists();
    }

    /** The header of forwarded requests names a tenant; the secret proves who sent it. */
    @Test
    void aClientCannotForgeAForwardedRequest() throws Exception {
        String chat = one.newChat();
        turn(one, chat, "/sh echo x > x.txt");

        HttpResponse<String> forged =
                one.send(one.request(files(chat)).header("Satchel-Tenant", "default").build());

        assertThat(forged.statusCode()).isEqualTo(401);
    }

    @Test
    void errorsAndConditionalRequestsAreTheSameThroughTheOtherServer() throws Exception {
        String chat = one.newChat();
        turn(one, chat, "/sh mkdir d && printf 0123456789 > 'a [b].txt'");
        String tag =
                one.get(files(chat) + "/a%20%5Bb%5D.txt")
                        .headers()
                        .firstValue("ETag")
                        .orElseThrow();

        for (String path :
                List.of("", "?limit=0", "/none", "/d", "/..%2Fx", "/a%20%5Bb%5D.txt?format=json")) {
            assertThat(other.get(files(chat) + path).body())
                    .isEqualTo(one.get(files(chat) + path).body());
        }
        HttpResponse<String> unchanged =
                other.send(
                        other.request(files(chat) + "/a%20%5Bb%5D.txt")
                                .header("If-None-Match", tag)
                                .build());
        assertThat(unchanged.statusCode()).isEqualTo(304);
        HttpResponse<String> invalid = other.post(files(chat), Map.of("files", List.of()));
        assertThat(invalid.body())
                .isEqualTo(one.post(files(chat), Map.of("files", List.of())).body());
    }

    @Test
    void aForwardedChangeWithAnIdempotencyKeyIsMadeOnce() throws Exception {
        String chat = one.newChat();
        turn(one, chat, "/sh echo x > x.txt");
        HttpRequest delete =
                other.request(files(chat) + "/x.txt")
                        .header("Idempotency-Key", "delete-once")
                        .DELETE()
                        .build();

        assertThat(other.send(delete).statusCode()).isEqualTo(200);
        HttpResponse<String> again = other.send(delete);

        assertThat(again.statusCode()).isEqualTo(200);
        assertThat(again.headers().firstValue("Idempotency-Replayed")).hasValue("true");
    }

    @Test
    void changesAreWatchedThroughTheOtherServer() throws Exception {
        String chat = one.newChat();
        turn(one, chat, "/sh echo x > x.txt");

        try (TestServer.Events events =
                other.events(other.request("/api/sessions/" + chat + "/changes").build())) {
            assertThat(events.line()).hasValue("event: ready");
            Files.writeString(liveOnOne(chat).resolve("new.txt"), "abc");
            String line = events.line().orElseThrow();
            while (!line.equals("event: change")) {
                line = events.line().orElseThrow();
            }
            assertThat(events.line().orElseThrow()).contains("\"added\"").contains("new.txt");
        }
    }

    @Test
    void aSessionIsPausedStoppedAndResumedThroughTheOtherServer() throws Exception {
        String chat = one.newChat();
        turn(one, chat, "/sh echo kept > x.txt");
        String session = "/api/sessions/" + chat;
        Files.writeString(liveOnOne(chat).resolve("late.txt"), "late");

        assertThat(other.post(session + "/pause", Map.of()).statusCode()).isEqualTo(200);
        assertThat(liveOnOne(chat)).exists();
        String at = one.getJson(session + "/snapshots").at("/snapshots/0/id").stringValue();
        assertThat(one.get(files(chat) + "/late.txt?at=" + at).body()).isEqualTo("late");

        assertThat(other.post(session + "/resume", Map.of()).statusCode()).isEqualTo(200);
        assertThat(other.post(session + "/stop", Map.of()).statusCode()).isEqualTo(200);
        assertThat(liveOnOne(chat)).doesNotExist();
        assertThat(one.getJson(files(chat)).get("source").stringValue()).isEqualTo("snapshot");

        assertThat(other.post(session + "/resume", Map.of()).statusCode()).isEqualTo(200);
        assertThat(one.getJson(files(chat)).get("source").stringValue()).isEqualTo("sandbox");
        assertThat(one.get(files(chat) + "/late.txt").body()).isEqualTo("late");
        assertThat(liveOnOne(chat)).doesNotExist(); // restored by the other server
    }

    private Path liveOnOne(String chat) {
        return disk.resolve("runner/workspaces").resolve(chat);
    }
}
