package dev.satchel.server.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

class StorageUsageTest {
    @TempDir private Path data;
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
    void everyKindOfFileIsCounted(Dialect dialect) throws Exception {
        try (TestServer server = start(dialect)) {
            String chat = server.newChat();
            server.upload(chat, "a.txt", "12345");
            String gone = server.upload(chat, "b.txt", "123").get("id").stringValue();
            server.sendAs(
                    TestServer.KEY, "DELETE", "/api/assistant/chats/" + chat + "/files/" + gone);
            post(server, "/api/assets", "asset.txt", "1234567");
            post(server, "/agent-server/api/upload", "waiting.txt", "12");
            halfAnUpload(server, 4);
            turn(server, chat, "one.txt");
            turn(server, chat, "two.txt");

            JsonNode storage = server.getJson("/api/storage");

            assertThat(use(storage, "files")).isEqualTo(new UsageTotal(1, 5));
            assertThat(use(storage, "deletedFiles")).isEqualTo(new UsageTotal(1, 3));
            assertThat(use(storage, "assets")).isEqualTo(new UsageTotal(1, 7));
            assertThat(use(storage, "uploads")).isEqualTo(new UsageTotal(2, 6));
            assertThat(use(storage, "snapshots"))
                    .isEqualTo(new UsageTotal(2, bytesOnDisk("pack-")));
            assertThat(storage.get("bytes").longValue())
                    .isEqualTo(bytesOnDisk("") - bytesOnDisk("manifest"));
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void theLargestChatsAreNamedLargestFirst(Dialect dialect) throws Exception {
        try (TestServer server = start(dialect)) {
            String small = server.newChat();
            server.upload(small, "a.txt", "1");
            String large = server.newChat();
            server.upload(large, "a.txt", "1".repeat(500));
            String middle = server.newChat();
            server.upload(middle, "a.txt", "1".repeat(50));
            server.send("PATCH", "/api/assistant/chats/" + large, Map.of("title", "Accounts"));
            server.sendAs(TestServer.KEY, "DELETE", "/api/assistant/chats/" + middle);

            JsonNode chats = server.getJson("/api/storage").get("chats");

            assertThat(chats.valueStream().map(chat -> chat.get("id").stringValue()))
                    .containsExactly(large, middle, small);
            assertThat(chats.get(0).get("title").stringValue()).isEqualTo("Accounts");
            assertThat(chats.get(0).get("bytes").longValue()).isEqualTo(500);
            assertThat(chats.get(1).get("deleted").booleanValue()).isTrue();
            assertThat(use(chats.get(1), "deletedFiles")).isEqualTo(new UsageTotal(1, 50));
            assertThat(server.getJson("/api/storage?limit=1").get("chats").size()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void theSumsFollowEveryChange(Dialect dialect) throws Exception {
        try (TestServer server = start(dialect)) {
            String chat = server.newChat();
            server.upload(chat, "a.txt", "12345");
            turn(server, chat, "one.txt");
            long whole = bytes(server);

            server.sendAs(TestServer.KEY, "DELETE", "/api/assistant/chats/" + chat);
            JsonNode deleted = server.getJson("/api/storage");
            assertThat(use(deleted, "files")).isEqualTo(UsageTotal.NONE);
            assertThat(use(deleted, "deletedFiles")).isEqualTo(new UsageTotal(1, 5));
            assertThat(sessions(server)).isZero();

            server.post("/api/assistant/chats/" + chat + "/restore", Map.of());
            JsonNode restored = server.getJson("/api/storage");
            assertThat(use(restored, "files")).isEqualTo(new UsageTotal(1, 5));
            assertThat(use(restored, "deletedFiles")).isEqualTo(UsageTotal.NONE);
            assertThat(bytes(server)).isEqualTo(whole);
            assertThat(sessions(server)).isEqualTo(1);

            assertThat(server.post("/api/sessions/" + chat + "/fork", Map.of()).statusCode())
                    .isEqualTo(201);
            assertThat(use(server.getJson("/api/storage"), "files"))
                    .isEqualTo(new UsageTotal(2, 10));
            assertThat(sessions(server)).isEqualTo(2);

            server.sendAs(TestServer.KEY, "DELETE", "/agent-server/api/sessions/" + chat);
            assertThat(use(server.getJson("/api/storage"), "files"))
                    .isEqualTo(new UsageTotal(1, 5));
            assertThat(bytes(server)).isEqualTo(bytesOnDisk("") - bytesOnDisk("manifest"));
        }
    }

    private static long bytes(TestServer server) throws Exception {
        return server.getJson("/api/storage").get("bytes").longValue();
    }

    private static long sessions(TestServer server) throws Exception {
        return server.getJson("/api/sessions?includeTotal=true").get("total").longValue();
    }

    @Test
    void aTenantSeesOnlyItsOwn() throws Exception {
        try (TestServer server = start(Dialect.SQLITE)) {
            server.upload(server.newChat(), "a.txt", "12345");
            post(server, "/api/assets", "asset.txt", "1234567");

            HttpResponse<String> other = server.sendAs(server.keyOf("acme"), "GET", "/api/storage");

            JsonNode storage = Json.MAPPER.readTree(other.body());
            assertThat(storage.get("bytes").longValue()).isZero();
            assertThat(storage.get("chats").isEmpty()).isTrue();
            assertThat(server.sendAs("sk_wrong", "GET", "/api/storage").statusCode())
                    .isEqualTo(401);
        }
    }

    @Test
    void theResponseHasTheLimits() throws Exception {
        try (TestServer server = start(Dialect.SQLITE)) {
            assertThat(server.getJson("/api/storage").get("limits").toString())
                    .isEqualTo(
                            "{\"maxFileBytes\":10000000,\"maxFiles\":10,\"maxBytes\":20000000,"
                                    + "\"uploadMaxAgeMs\":86400000,\"trashMs\":2592000000}");
            assertThat(server.get("/api/storage?limit=0").statusCode()).isEqualTo(400);
        }
    }

    /** The runner shares our disk, so that workspaces are kept. */
    private TestServer start(Dialect dialect) throws Exception {
        URI database = dialect == Dialect.POSTGRESQL ? TestDatabases.freshPostgresql() : null;
        Configuration usual = TestServer.configuration(data, database, sandbox.url());
        return TestServer.start(
                TestConfiguration.withSandbox(
                        usual, TestConfiguration.remote(sandbox.url(), data.resolve("workspaces"))),
                Clock.systemUTC());
    }

    private void turn(TestServer server, String chat, String file) throws Exception {
        try (Events events = server.turn(Map.of("message", "go", "chatId", chat))) {
            ScriptedSandbox.RunOnStage run = sandbox.next();
            Path workspace = Files.createDirectories(data.resolve("workspaces").resolve(chat));
            Files.writeString(workspace.resolve(file), file.repeat(100));
            run.answers("done");
            events.rest();
        }
    }

    private static void post(TestServer server, String path, String name, String content)
            throws Exception {
        assertThat(
                        server.send(
                                        server.request(path)
                                                .header("Content-Type", MultipartBody.CONTENT_TYPE)
                                                .POST(
                                                        new MultipartBody()
                                                                .file(name, content)
                                                                .publisher())
                                                .build())
                                .statusCode())
                .isEqualTo(201);
    }

    private static void halfAnUpload(TestServer server, int bytes) throws Exception {
        HttpResponse<String> created =
                server.send(
                        server.request("/api/uploads")
                                .header("Tus-Resumable", "1.0.0")
                                .header("Upload-Length", String.valueOf(bytes * 2))
                                .POST(BodyPublishers.noBody())
                                .build());
        String location = created.headers().firstValue("Location").orElseThrow();
        server.send(
                server.request(URI.create(location).getPath())
                        .header("Tus-Resumable", "1.0.0")
                        .header("Upload-Offset", "0")
                        .header("Content-Type", "application/offset+octet-stream")
                        .method("PATCH", BodyPublishers.ofString("x".repeat(bytes)))
                        .build());
    }

    private static UsageTotal use(JsonNode in, String kind) {
        return Json.MAPPER.treeToValue(in.get(kind), UsageTotal.class);
    }

    private long bytesOnDisk(String namedLike) throws IOException {
        try (Stream<Path> files = Files.walk(data.resolve("objects"))) {
            List<Path> found =
                    files.filter(Files::isRegularFile)
                            .filter(file -> file.getFileName().toString().startsWith(namedLike))
                            .toList();
            long bytes = 0;
            for (Path file : found) {
                bytes += Files.size(file);
            }
            return bytes;
        }
    }
}
