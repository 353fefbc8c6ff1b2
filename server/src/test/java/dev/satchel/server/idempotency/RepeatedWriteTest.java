package dev.satchel.server.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.access.MovableClock;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.testing.TestServer;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RepeatedWriteTest {
    private static final String CHATS = "/api/assistant/chats";

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aRepeatGetsTheFirstAnswerAndDoesNothing(Dialect dialect) throws Exception {
        try (TestServer server = TestServer.start(dialect, null)) {
            HttpResponse<String> first = create(server, "key-1", "plans");
            HttpResponse<String> again = create(server, "\"key-1\"", "plans");

            assertThat(first.statusCode()).isEqualTo(201);
            assertThat(first.headers().firstValue("Idempotency-Replayed")).isEmpty();
            assertThat(again.statusCode()).isEqualTo(201);
            assertThat(again.body()).isEqualTo(first.body());
            assertThat(again.headers().firstValue("Content-Type"))
                    .isEqualTo(first.headers().firstValue("Content-Type"));
            assertThat(again.headers().firstValue("Idempotency-Replayed")).hasValue("true");
            assertThat(chats(server)).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void theSameKeyForAnythingElseIs422(Dialect dialect) throws Exception {
        try (TestServer server = TestServer.start(dialect, null)) {
            String chat =
                    Json.MAPPER
                            .readTree(create(server, "key-1", "plans").body())
                            .get("id")
                            .stringValue();

            HttpResponse<String> otherBody = create(server, "key-1", "other plans");
            HttpResponse<String> otherPath =
                    server.send(
                            server.request(CHATS + "/" + chat)
                                    .header("Idempotency-Key", "key-1")
                                    .DELETE()
                                    .build());

            assertThat(otherBody.statusCode()).isEqualTo(422);
            assertThat(otherBody.body()).contains("\"code\":\"key_reused\"");
            assertThat(otherPath.statusCode()).isEqualTo(422);
            assertThat(chats(server)).isEqualTo(1);
        }
    }

    @Test
    void aKeyMeansNothingToAnotherTenant() throws Exception {
        try (TestServer server = TestServer.start(null)) {
            create(server, "key-1", "plans");
            HttpResponse<String> theirs =
                    server.send(
                            request(server, "key-1", "their plans")
                                    .setHeader("Authorization", "Bearer " + server.keyOf("acme"))
                                    .build());

            assertThat(theirs.statusCode()).isEqualTo(201);
            assertThat(theirs.body()).contains("their plans");
        }
    }

    @Test
    void anErrorDoesNotUseTheKey() throws Exception {
        try (TestServer server = TestServer.start(null)) {
            assertThat(create(server, "key-1", " ").statusCode()).isEqualTo(400);
            assertThat(create(server, "key-1", "plans").statusCode()).isEqualTo(201);
            assertThat(create(server, "key-1", " ").statusCode()).isEqualTo(422);
        }
    }

    @Test
    void anAnswerWithoutABodyIsRepeatedToo() throws Exception {
        try (TestServer server = TestServer.start(null)) {
            String path = "/api/assistant/chats/" + server.newChat();
            HttpRequest delete =
                    server.request(path).header("Idempotency-Key", "gone").DELETE().build();
            assertThat(server.send(delete).statusCode()).isEqualTo(204);
            HttpResponse<String> again = server.send(delete);

            assertThat(again.statusCode()).isEqualTo(204);
            assertThat(again.headers().firstValue("Idempotency-Replayed")).hasValue("true");
        }
    }

    @Test
    void anInvalidKeyIs400() throws Exception {
        try (TestServer server = TestServer.start(null)) {
            assertThat(create(server, "k".repeat(256), "plans").statusCode()).isEqualTo(400);
            assertThat(create(server, "two words", "plans").statusCode()).isEqualTo(400);
            assertThat(create(server, "k".repeat(255), "plans").statusCode()).isEqualTo(201);
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void ofManyConcurrentRequestsOneIsExecuted(Dialect dialect) throws Exception {
        try (TestServer server = TestServer.start(dialect, null)) {
            assertThat(atOnce(List.of(server, server, server, server))).hasSize(1);
            assertThat(chats(server)).isEqualTo(1);
        }
    }

    @Test
    void twoServersExecuteARequestOnce(@TempDir Path one, @TempDir Path two) throws Exception {
        URI database = TestDatabases.freshPostgresql();
        try (TestServer first = TestServer.start(one, database, null);
                TestServer second = TestServer.start(two, database, null)) {
            assertThat(atOnce(List.of(first, second, first, second))).hasSize(1);
            assertThat(chats(second)).isEqualTo(1);
        }
    }

    @Test
    void aKeyExpires(@TempDir Path data) throws Exception {
        MovableClock clock = new MovableClock();
        try (TestServer server =
                TestServer.start(TestServer.configuration(data, null, null), clock)) {
            create(server, "key-1", "plans");
            clock.advance(Duration.ofHours(23));
            assertThat(create(server, "key-1", "other plans").statusCode()).isEqualTo(422);
            clock.advance(Duration.ofHours(2));

            assertThat(create(server, "key-1", "other plans").statusCode()).isEqualTo(201);
            assertThat(chats(server)).isEqualTo(2);
        }
    }

    @Test
    void aStoredResponseIsEncrypted(@TempDir Path data) throws Exception {
        URI url = TestDatabases.freshPostgresql();
        try (TestServer server = TestServer.start(data, url, null)) {
            HttpRequest newKey =
                    server.request("/api/keys")
                            .header("Idempotency-Key", "for-the-laptop")
                            .POST(BodyPublishers.ofString("{\"name\":\"laptop\"}"))
                            .build();
            String made = server.send(newKey).body();
            String secret = Json.MAPPER.readTree(made).get("key").stringValue();

            assertThat(server.send(newKey).body()).isEqualTo(made);
            assertThat(StoredResponseRows.in(url))
                    .hasSize(1)
                    .noneMatch(row -> row.contains(secret));
            assertThat(StoredResponseRows.in(url)).noneMatch(row -> row.contains("laptop"));
        }
    }

    private static Set<String> atOnce(List<TestServer> servers) throws Exception {
        Set<String> answers = new HashSet<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<String>> calls = new ArrayList<>();
            servers.forEach(server -> calls.add(() -> create(server, "key-1", "plans").body()));
            for (Future<String> answer : threads.invokeAll(calls)) {
                answers.add(answer.get());
            }
        }
        return answers;
    }

    private static HttpResponse<String> create(TestServer server, String key, String title)
            throws Exception {
        return server.send(request(server, key, title).build());
    }

    private static HttpRequest.Builder request(TestServer server, String key, String title) {
        String body = Json.MAPPER.writeValueAsString(Map.of("title", title));
        return server.request(CHATS)
                .header("Idempotency-Key", key)
                .POST(BodyPublishers.ofString(body));
    }

    private static int chats(TestServer server) throws Exception {
        return server.getJson(CHATS).get("chats").size();
    }
}
