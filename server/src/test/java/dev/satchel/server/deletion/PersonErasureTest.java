package dev.satchel.server.deletion;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.access.UserRole;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestPeople;
import dev.satchel.server.testing.TestPeople.Person;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Nothing is left of a person who was removed, and everything of the others. */
@Timeout(120)
class PersonErasureTest {
    private static final String SECRET = "rhubarbcompote";

    /** The log of what happened, and what access keeps of a person: that they cannot sign in. */
    private static final List<String> NOT_CONTENT = List.of("audit", "app_user", "api_key");

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
    void nothingOfARemovedPersonIsLeft(Dialect dialect) throws Exception {
        try (TestPeople people = TestPeople.start(dialect, sandbox.url())) {
            Person ann = people.add("default", UserRole.MEMBER);
            Person bob = people.add("default", UserRole.MEMBER);
            List<String> hers = fill(people, ann);
            List<String> his = fill(people, bob);
            assertThat(tablesWith(people, hers))
                    .contains(
                            "conversation",
                            "message",
                            "run",
                            "bag_file",
                            "snapshot",
                            "upload",
                            "mcp_token",
                            "search_entry",
                            "idempotency_key");

            remove(people, ann);
            people.server().sweep();

            assertThat(tablesWith(people, hers)).isEmpty();
            assertThat(pathsWith(people, hers)).isEmpty();
            assertThat(pathsWith(people, his)).isNotEmpty();
            assertThat(tablesWith(people, his)).contains("conversation", "snapshot", "upload");
            assertThat(receipts(people, ann)).containsExactly("2 1");
        }
    }

    /** A crash leaves chats that are sealed and not erased, or nothing but a row of a limit. */
    @ParameterizedTest
    @EnumSource(Dialect.class)
    void theNextSweepGoesOnWhereACrashCameBetween(Dialect dialect) throws Exception {
        try (TestPeople people = TestPeople.start(dialect, sandbox.url())) {
            Person ann = people.add("default", UserRole.MEMBER);
            Person zoe = people.add("default", UserRole.MEMBER);
            List<String> hers = fill(people, ann);
            change(people, "UPDATE conversation SET deleted_at = 0 WHERE user_id = '%s'", ann);
            change(people, "INSERT INTO usage_limit VALUES ('default', '%s', 'files', 1)", zoe);

            remove(people, ann);
            remove(people, zoe);
            people.server().sweep();

            assertThat(tablesWith(people, hers)).isEmpty();
            assertThat(tablesWith(people, List.of(zoe.id()))).isEmpty();
        }
    }

    private static void remove(TestPeople people, Person person) {
        change(people, "UPDATE app_user SET removed_at = 1 WHERE id = '%s'", person);
    }

    private static void change(TestPeople people, String sql, Person person) {
        people.database().change(tx -> tx.update(sql.formatted(person.id())).execute());
    }

    /** Two chats, of which one is in the trash, and an upload; returns what names them. */
    private List<String> fill(TestPeople people, Person person) throws Exception {
        String chat = newChat(people, person, "kept by " + person.id());
        String deleted = newChat(people, person, "deleted by " + person.id());
        HttpRequest file =
                request(people, person, "/api/assistant/chats/" + chat + "/files")
                        .header("Content-Type", MultipartBody.CONTENT_TYPE)
                        .POST(new MultipartBody().file("a.txt", SECRET + person.id()).publisher())
                        .build();
        assertThat(people.server().send(file).statusCode()).isEqualTo(201);
        post(people, person, "/api/assistant/chats/" + chat + "/mcp-token", "{}");
        turn(people, person, chat);
        HttpRequest delete =
                request(people, person, "/api/assistant/chats/" + deleted).DELETE().build();
        assertThat(people.server().send(delete).statusCode()).isEqualTo(204);
        HttpRequest upload =
                request(people, person, "/api/uploads")
                        .header("Tus-Resumable", "1.0.0")
                        .header("Upload-Length", "0")
                        .POST(BodyPublishers.noBody())
                        .build();
        String at = people.server().send(upload).headers().firstValue("Location").orElseThrow();
        return List.of(person.id(), chat, deleted, at.substring(at.lastIndexOf('/') + 1));
    }

    private static String newChat(TestPeople people, Person person, String title) throws Exception {
        HttpRequest request =
                request(people, person, "/api/assistant/chats")
                        .header("Content-Type", "application/json")
                        .header("Idempotency-Key", title.replace(" ", "-"))
                        .POST(BodyPublishers.ofString("{\"title\":\"" + title + "\"}"))
                        .build();
        HttpResponse<String> made = people.server().send(request);
        return Json.MAPPER.readTree(made.body()).get("id").stringValue();
    }

    private void turn(TestPeople people, Person person, String chat) throws Exception {
        Thread answer = Thread.ofVirtual().start(this::answer);
        String body =
                Json.MAPPER.writeValueAsString(
                        Map.of("message", SECRET + " of " + person.id(), "chatId", chat));
        post(people, person, "/api/assistant/chat/stream", body);
        answer.join();
    }

    private void answer() {
        try {
            sandbox.next().answers("the answer");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void post(TestPeople people, Person person, String path, String body)
            throws Exception {
        HttpRequest request =
                request(people, person, path)
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(body))
                        .build();
        assertThat(people.server().send(request).statusCode()).isIn(200, 201);
    }

    private static HttpRequest.Builder request(TestPeople people, Person person, String path) {
        return people.server().request(path).setHeader("Authorization", "Bearer " + person.key());
    }

    private static List<String> receipts(TestPeople people, Person person) {
        return people.database()
                .read(
                        tx ->
                                tx.query("SELECT detail FROM audit WHERE target = :user")
                                        .bind("user", person.id())
                                        .mapTo(String.class)
                                        .map(Json.MAPPER::readTree)
                                        .map(
                                                detail ->
                                                        detail.get("conversations").asString()
                                                                + " "
                                                                + detail.get("uploads").asString())
                                        .list());
    }

    /** Also the erasure of objects is done: it has rows until then. */
    private static List<String> tablesWith(TestPeople people, List<String> texts) {
        return people.database()
                .read(
                        tx -> {
                            List<String> found = new ArrayList<>(tables(people, tx));
                            found.removeAll(NOT_CONTENT);
                            found.removeIf(table -> !mentions(tx, table, texts));
                            return found;
                        });
    }

    private static List<String> tables(TestPeople people, Transaction tx) {
        String sql =
                people.database().dialect() == Dialect.SQLITE
                        ? "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'search_index%'"
                        : "SELECT tablename FROM pg_tables WHERE schemaname = 'public'";
        return tx.query(sql).mapTo(String.class).list();
    }

    private static boolean mentions(Transaction tx, String table, List<String> texts) {
        return tx.query("SELECT * FROM " + table)
                .map((row, _) -> mentions(row, texts))
                .list()
                .contains(true);
    }

    private static boolean mentions(ResultSet row, List<String> texts) throws SQLException {
        for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
            String value = row.getString(i);
            if (value != null && texts.stream().anyMatch(value::contains)) {
                return true;
            }
        }
        return false;
    }

    private static List<String> pathsWith(TestPeople people, List<String> texts) throws Exception {
        try (Stream<Path> paths = Files.walk(people.data())) {
            return paths.map(Path::toString)
                    .filter(path -> texts.stream().anyMatch(path::contains))
                    .toList();
        }
    }
}
