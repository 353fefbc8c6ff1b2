package dev.satchel.server.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.http.Route;
import dev.satchel.protocol.Json;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Databases;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.objectstore.S3Settings;
import dev.satchel.server.testing.DatabaseProxy;
import dev.satchel.server.testing.LogLines;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What the server answers while something that it needs is away. */
@Timeout(180)
class OutageTest {
    private static final S3Settings NOBODY_LISTENS =
            new S3Settings(
                    "bucket",
                    "us-east-1",
                    URI.create("http://127.0.0.1:1"),
                    true,
                    true,
                    new S3Settings.Credentials("satchel", "not-a-secret"));

    @Test
    void noRouteAnswersWith500WhileTheDatabaseIsAway(@TempDir Path data) throws Exception {
        Queue<String> wrong = new ConcurrentLinkedQueue<>();
        try (DatabaseProxy proxy = new DatabaseProxy(TestDatabases.freshPostgresql());
                TestServer server = TestServer.start(data, proxy.url(), null)) {
            proxy.cut();
            List<Thread> requests =
                    server.routes().stream()
                            .map(
                                    route ->
                                            Thread.startVirtualThread(
                                                    () -> ask(server, route, wrong)))
                            .toList();
            for (Thread request : requests) {
                request.join();
            }
            assertThat(wrong).isEmpty();
            assertThat(server.get("/api/assistant/chats").statusCode()).isEqualTo(503);
            assertThat(dependencies(server).get("database").stringValue()).isEqualTo("down");
            assertThat(server.get("/livez").statusCode()).isEqualTo(200);

            proxy.restore();
            while (server.get("/readyz").statusCode() != 200) {
                Thread.onSpinWait();
            }
            assertThat(server.get("/api/assistant/chats").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void aSilentDatabaseIsAlsoAway(@TempDir Path data) throws Exception {
        try (DatabaseProxy proxy = new DatabaseProxy(TestDatabases.freshPostgresql());
                TestServer server = TestServer.start(data, proxy.url(), null)) {
            proxy.silence();

            assertThat(server.get("/api/assistant/chats").statusCode()).isEqualTo(503);
            assertThat(dependencies(server).get("database").stringValue()).isEqualTo("down");
        }
    }

    @Test
    void anOutageOfTheDatabaseIsOneLineWhenItBeginsAndOneWhenItEnds(@TempDir Path data)
            throws Exception {
        try (DatabaseProxy proxy = new DatabaseProxy(TestDatabases.freshPostgresql());
                TestServer server = TestServer.start(data, proxy.url(), null);
                LogLines lines = LogLines.all()) {
            proxy.cut();
            for (int i = 0; i < 3; i++) {
                assertThat(server.get("/api/assistant/chats").statusCode()).isEqualTo(503);
                assertThat(server.get("/readyz").statusCode()).isEqualTo(503);
            }
            proxy.restore();
            while (lines.messages().stream().noneMatch(line -> line.contains("again"))) {
                server.get("/readyz"); // writes a row
            }

            assertThat(lines.withStackTrace()).isEmpty();
            assertThat(lines.warnings().getFirst())
                    .startsWith("the database is not available reason=");
            assertThat(lines.warnings().stream().skip(1))
                    .isSubsetOf("dependency does not answer name=database");
            assertThat(lines.warnings()).doesNotHaveDuplicates();
            assertThat(lines.messages())
                    .filteredOn(line -> line.contains("available again"))
                    .singleElement()
                    .asString()
                    .matches("the database .* afterMillis=\\d+ failedCalls=\\d+");
        }
    }

    @Test
    void anOutageOfTheObjectStoreHasNoStackTraces(@TempDir Path data) throws Exception {
        Configuration configuration =
                TestConfiguration.withBucket(
                        TestServer.configuration(data, null, null), NOBODY_LISTENS);
        try (TestServer server = TestServer.start(configuration, Clock.systemUTC());
                LogLines lines = LogLines.all()) {
            for (int i = 0; i < 3; i++) {
                assertThat(server.get("/readyz").statusCode()).isEqualTo(503);
                upload(server);
            }

            assertThat(lines.withStackTrace()).isEmpty();
            assertThat(lines.warnings())
                    .filteredOn(line -> line.startsWith("the object store is not available"))
                    .hasSizeLessThan(2); // the readiness of the start may have found it
        }
    }

    @Test
    void aReadOnlyDatabaseMakesTheServerUnready(@TempDir Path data) throws Exception {
        URI url = TestDatabases.freshPostgresql();
        try (TestServer server = TestServer.start(data, url, null);
                Database database = Databases.postgresql(url)) {
            assertThat(server.get("/readyz").statusCode()).isEqualTo(200);
            database.change(
                    tx ->
                            tx.update(
                                            "ALTER DATABASE "
                                                    + url.getPath().substring(1)
                                                    + " SET default_transaction_read_only = on")
                                    .execute());
            String others =
                    """
                    SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
                     WHERE datname = current_database() AND pid <> pg_backend_pid()
                    """;
            long _ = database.read(tx -> tx.query(others).mapTo(Long.class).one());

            while (server.get("/readyz").statusCode() == 200) {
                Thread.onSpinWait(); // the result of the last check may be used again
            }
            assertThat(dependencies(server).get("database").stringValue()).isEqualTo("down");
            HttpResponse<String> write = server.post("/api/assistant/chats", Map.of());
            assertThat(write.statusCode()).isEqualTo(503);
            assertThat(write.body()).contains("\"code\":\"unavailable\"");
            assertThat(write.headers().firstValue("Retry-After")).isPresent();
            assertThat(server.get("/api/assistant/chats").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void anObjectStoreThatIsAwayIs503(@TempDir Path data) throws Exception {
        Configuration configuration =
                TestConfiguration.withBucket(
                        TestServer.configuration(data, null, null), NOBODY_LISTENS);
        try (TestServer server = TestServer.start(configuration, Clock.systemUTC())) {
            HttpResponse<String> upload = upload(server);

            assertThat(upload.statusCode()).isEqualTo(503);
            assertThat(upload.body()).contains("object store");
            assertThat(dependencies(server).get("objectStore").stringValue()).isEqualTo("down");
            assertThat(dependencies(server).get("disk").stringValue()).isEqualTo("up");
        }
    }

    private static HttpResponse<String> upload(TestServer server) throws Exception {
        return server.send(
                server.request("/api/assistant/chats/" + server.newChat() + "/files")
                        .header("Content-Type", MultipartBody.CONTENT_TYPE)
                        .POST(new MultipartBody().file("a.txt", "a").publisher())
                        .build());
    }

    private static void ask(TestServer server, Route route, Queue<String> wrong) {
        String path =
                route.template()
                        .replaceAll("\\{[^}]*}", UUID.randomUUID().toString())
                        .replace("*", "x");
        try {
            HttpResponse<String> response =
                    server.send(
                            server.request(path)
                                    .header("Content-Type", "application/json")
                                    .method(route.method(), BodyPublishers.ofString("{}"))
                                    .build());
            if (response.statusCode() == 500) {
                wrong.add(route + " " + response.body());
            }
        } catch (Exception | AssertionError e) {
            wrong.add(route + " " + e);
        }
    }

    private static JsonNode dependencies(TestServer server) throws Exception {
        HttpResponse<String> ready = server.get("/readyz");
        assertThat(ready.statusCode()).isEqualTo(503);
        return Json.MAPPER.readTree(ready.body()).get("dependencies");
    }
}
