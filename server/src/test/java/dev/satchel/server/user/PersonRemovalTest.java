package dev.satchel.server.user;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.access.UserRole;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.testing.CheckedHttpClient;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestPeople;
import dev.satchel.server.testing.TestPeople.Person;
import dev.satchel.server.testing.TestServer;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What runs and waits for a person ends when the person is removed or may only read. */
@Timeout(120)
class PersonRemovalTest {
    private static final String STREAM = "/api/assistant/chat/stream";

    private ScriptedSandbox sandbox;
    private HttpClient client;

    @BeforeEach
    void start() throws Exception {
        sandbox = new ScriptedSandbox();
        client = CheckedHttpClient.create();
    }

    @AfterEach
    void stop() {
        client.close();
        sandbox.close();
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void removedPersonIsOutAtOnceWithRunningAndQueuedTurns(Dialect dialect) throws Exception {
        try (TestPeople people = TestPeople.start(dialect, sandbox.url())) {
            Person ann = people.add("default", UserRole.MEMBER);
            String chat = chat(people, ann);
            try (InputStream _ = begin(people, ann, chat)) {
                ScriptedSandbox.RunOnStage running = sandbox.next();
                queue(people, ann, chat);

                assertThat(
                                people.server()
                                        .sendAs(TestServer.KEY, "DELETE", "/api/users/" + ann.id())
                                        .statusCode())
                        .isEqualTo(204);

                assertThat(running.wasHungUpOn()).isTrue();
            }
            assertThat(count(people, "queued_message", ann)).isZero();
            while (count(people, "conversation", ann) > 0) { // erased without a sweep
                Thread.onSpinWait();
            }
            assertThat(sandbox.nothingDispatched()).isTrue();
        }
    }

    @Test
    void queuedTurnOfAPersonWhoMayOnlyReadNowDoesNotRun() throws Exception {
        try (TestPeople people = TestPeople.start(Dialect.SQLITE, sandbox.url())) {
            Person ann = people.add("default", UserRole.MEMBER);
            String chat = chat(people, ann);
            ScriptedSandbox.RunOnStage running;
            try (InputStream _ = begin(people, ann, chat)) {
                running = sandbox.next();
            }
            queue(people, ann, chat);
            people.server().send("PATCH", "/api/users/" + ann.id(), Map.of("role", "viewer"));

            running.answers("done");

            String queue = "/api/assistant/chats/" + chat + "/queue";
            while (!people.server()
                    .sendAs(ann.key(), "GET", queue)
                    .body()
                    .contains("may not run turns any more")) {
                Thread.onSpinWait();
            }
            assertThat(sandbox.nothingDispatched()).isTrue();
        }
    }

    private static long count(TestPeople people, String table, Person person) {
        return people.database()
                .read(
                        tx ->
                                tx.query("SELECT COUNT(*) FROM " + table + " WHERE user_id = :user")
                                        .bind("user", person.id())
                                        .mapTo(Long.class)
                                        .one());
    }

    private String chat(TestPeople people, Person person) throws Exception {
        HttpResponse<InputStream> made = post(people, person, "/api/assistant/chats", Map.of());
        try (InputStream body = made.body()) {
            return Json.MAPPER.readTree(body).get("id").stringValue();
        }
    }

    /** The turn continues when nobody reads it. */
    private InputStream begin(TestPeople people, Person person, String chat) throws Exception {
        HttpResponse<InputStream> stream =
                post(
                        people,
                        person,
                        STREAM,
                        Map.of("chatId", chat, "message", "one", "onDisconnect", "continue"));
        assertThat(stream.statusCode()).isEqualTo(200);
        return stream.body();
    }

    private void queue(TestPeople people, Person person, String chat) throws Exception {
        HttpResponse<InputStream> queued =
                post(
                        people,
                        person,
                        STREAM,
                        Map.of("chatId", chat, "message", "two", "whenBusy", "queue"));
        assertThat(queued.statusCode()).isEqualTo(202);
        queued.body().close();
    }

    private HttpResponse<InputStream> post(
            TestPeople people, Person person, String path, Map<String, ?> body) throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(people.server().url(path))
                        .header("X-Api-Key", person.key())
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(Json.MAPPER.writeValueAsString(body)))
                        .build();
        return client.send(request, BodyHandlers.ofInputStream());
    }
}
