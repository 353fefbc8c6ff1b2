package dev.satchel.server.deletion;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.access.UserRole;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.objectstore.S3ProxyProcess;
import dev.satchel.server.objectstore.S3Settings;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.TestPeople;
import dev.satchel.server.testing.TestPeople.Person;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** Nothing is left of a person who was removed, and everything of the others. */
@Timeout(240)
class PersonErasureTest {
    /** What says that a person was removed, and what was done: they have ids and numbers. */
    private static final List<String> NOT_CONTENT =
            List.of("audit", "app_user", "api_key", "person_erasure", "person_erasure_count");

    private static final int MOST_SWEEPS = 200;

    @TempDir private static Path objects;

    private static S3ProxyProcess s3;

    @BeforeAll
    static void start() throws Exception {
        s3 = S3ProxyProcess.start(objects);
    }

    @AfterAll
    static void stop() {
        s3.close();
    }

    @ParameterizedTest
    @CsvSource({"SQLITE,false", "POSTGRESQL,false", "SQLITE,true", "POSTGRESQL,true"})
    void nothingOfARemovedPersonIsLeft(Dialect dialect, boolean inBucket) throws Exception {
        S3Settings bucket = inBucket ? s3.newBucket() : null;
        try (TestPeople people = TestPeople.startWhole(dialect, bucket)) {
            Person ann = people.add("default", UserRole.MEMBER);
            Person bob = people.add("default", UserRole.MEMBER);
            List<String> hers = fill(people, ann);
            List<String> his = fill(people, bob);
            assertThat(tablesWith(people, hers))
                    .contains(
                            "conversation",
                            "chat_mark",
                            "chat_share",
                            "message",
                            "branch",
                            "queued_message",
                            "run",
                            "run_line",
                            "ask",
                            "bag_file",
                            "snapshot",
                            "upload",
                            "mcp_token",
                            "openai_thread",
                            "search_entry",
                            "user_password",
                            "user_identity",
                            "browser_session",
                            "model_usage",
                            "idempotency_key");
            assertThat(entriesOfIndex(people, hers)).isPositive();

            String user = "/api/users/" + ann.id();
            assertThat(send(people, people.owner(), "GET", user + "/erasure", null).statusCode())
                    .isEqualTo(404);
            assertThat(send(people, people.owner(), "DELETE", user, null).statusCode())
                    .isEqualTo(204);
            sweep(people, ann, hers);

            assertThat(tablesWith(people, hers)).isEmpty();
            assertThat(tables(people, hers.subList(0, 1))).isEmpty();
            assertThat(entriesOfIndex(people, hers)).isZero();
            assertThat(filesWith(people.data(), hers)).isEmpty();
            assertThat(filesWith(objects, hers)).isEmpty();
            assertThat(filesWith(bucket == null ? people.data() : objects, his)).isNotEmpty();
            assertThat(tablesWith(people, his)).contains("conversation", "snapshot", "upload");
            assertThat(entriesOfIndex(people, his)).isPositive();
            assertReceipt(people, ann);
        }
    }

    /** A crash leaves chats that are sealed and not erased, or nothing but a row of a limit. */
    @ParameterizedTest
    @EnumSource(Dialect.class)
    void theNextSweepGoesOnWhereACrashCameBetween(Dialect dialect) throws Exception {
        try (TestPeople people = TestPeople.startWhole(dialect, null)) {
            Person ann = people.add("default", UserRole.MEMBER);
            Person zoe = people.add("default", UserRole.MEMBER);
            List<String> hers = fill(people, ann);
            change(people, "UPDATE conversation SET deleted_at = 0 WHERE user_id = '%s'", ann);
            change(people, "INSERT INTO usage_limit VALUES ('default', '%s', 'files', 1)", zoe);
            change(
                    people,
                    "INSERT INTO person_erasure_count VALUES ('default', '%s', 'chats', 40)",
                    ann);
            for (Person removed : List.of(ann, zoe)) {
                String user = "/api/users/" + removed.id();
                assertThat(send(people, people.owner(), "DELETE", user, null).statusCode())
                        .isEqualTo(204);
            }
            sweep(people, ann, hers);
            sweep(people, zoe, List.of(zoe.id()));

            assertThat(tablesWith(people, hers)).isEmpty();
            assertThat(tablesWith(people, List.of(zoe.id()))).isEmpty();
            assertThat(receipt(people, zoe).get("erased").get("limits").intValue()).isEqualTo(1);
            assertThat(receipt(people, ann).get("erased").get("chats").intValue())
                    .isGreaterThan(40); // what was counted before the crash stays
        }
    }

    /** Until nothing is left: the removal has begun an erasure of its own. */
    private static void sweep(TestPeople people, Person person, List<String> texts)
            throws Exception {
        for (int i = 0; i < MOST_SWEEPS; i++) {
            people.server().sweep();
            if (receipt(people, person).has("finishedAt") && tablesWith(people, texts).isEmpty()) {
                return;
            }
        }
    }

    private static void assertReceipt(TestPeople people, Person person) throws Exception {
        JsonNode receipt = receipt(people, person);
        assertThat(receipt.get("finishedAt").longValue()).isPositive();
        JsonNode erased = receipt.get("erased");
        assertThat(erased.get("chats").intValue()).isEqualTo(4);
        assertThat(erased.get("headlessRuns").intValue()).isEqualTo(1);
        assertThat(erased.get("uploads").intValue()).isEqualTo(1);
        assertThat(erased.get("keys").intValue()).isEqualTo(1);
        assertThat(erased.get("sessions").intValue()).isEqualTo(1);
        assertThat(erased.get("passwords").intValue()).isEqualTo(1);
        assertThat(erased.get("asks").intValue()).isEqualTo(1);
        assertThat(erased.get("queuedMessages").intValue()).isPositive();
        assertThat(erased.get("branches").intValue()).isPositive();
        assertThat(erased.get("storedResponses").intValue()).isPositive();
        assertThat(erased.get("shares").intValue()).isEqualTo(1);
        assertThat(erased.get("snapshots").intValue()).isPositive();
        assertThat(erased.get("files").intValue()).isPositive();
        assertThat(erased.get("runs").intValue()).isPositive();
        assertThat(erased.get("searchEntries").intValue()).isPositive();
    }

    private static JsonNode receipt(TestPeople people, Person person) throws Exception {
        String path = "/api/users/" + person.id() + "/erasure";
        return json(send(people, people.owner(), "GET", path, null));
    }

    /**
     * A chat with two branches, files, an ask and a waiting message, one in the trash, those of
     * clients of OpenAI and A2A, a headless run and an upload. Returns what names them: first the
     * word that is in their content.
     */
    private static List<String> fill(TestPeople people, Person person) throws Exception {
        String word = word(person);
        String chat = newChat(people, person, "kept " + word);
        String deleted = newChat(people, person, "deleted " + word);
        String chats = "/api/assistant/chats/";
        form(people, person, chats + chat + "/files", word);
        post(people, person, chats + chat + "/mcp-token", Map.of());
        String command = "/sh mkdir -p assets && echo " + word + " | tee a > assets/b.txt";
        turn(people, person, Map.of("message", command, "chatId", chat));
        String first =
                json(send(people, person, "GET", chats + chat, null))
                        .get("messages")
                        .get(0)
                        .get("id")
                        .stringValue();
        turn(people, person, Map.of("message", command, "chatId", chat));
        turn(people, person, Map.of("message", command, "chatId", chat, "parentMessageId", first));
        post(people, person, chats + chat + "/shares", Map.of("with", "link"));
        String pinned = "{\"pinned\":true}";
        assertThat(send(people, person, "PATCH", chats + chat, pinned).statusCode()).isEqualTo(200);
        assertThat(send(people, person, "DELETE", chats + deleted, null).statusCode())
                .isEqualTo(204);
        post(
                people,
                person,
                "/v1/chat/completions",
                Map.of(
                        "model",
                        "satchel",
                        "messages",
                        List.of(Map.of("role", "user", "content", command))));
        Map<String, ?> asked =
                Map.of(
                        "messageId",
                        "asked",
                        "role",
                        "ROLE_USER",
                        "parts",
                        List.of(Map.of("text", command)));
        post(
                people,
                person,
                "/a2a",
                Map.of(
                        "jsonrpc",
                        "2.0",
                        "id",
                        1,
                        "method",
                        "SendMessage",
                        "params",
                        Map.of("message", asked)));
        String agent =
                json(post(
                                people,
                                people.owner(),
                                "/api/agents",
                                Map.of("name", "clerk " + UUID.randomUUID())))
                        .get("id")
                        .stringValue();
        post(people, person, "/api/agents/" + agent + "/runs", Map.of("prompt", command));
        assertThat(
                        send(people, people.owner(), "DELETE", "/api/agents/" + agent, null)
                                .statusCode())
                .isEqualTo(204);
        form(people, person, "/agent-server/api/upload", word);
        addAccess(people, person, chat);
        return Stream.concat(Stream.of(word, person.id()), conversations(people, person).stream())
                .toList();
    }

    /** Rows that only a person or a model at the right moment would make. */
    private static void addAccess(TestPeople people, Person person, String chat) {
        String identity = Integer.toHexString(person.id().hashCode()); // stays, without the person
        change(
                people,
                "INSERT INTO user_identity VALUES ('default', '" + identity + "', '%1$s', 1)",
                person);
        change(people, "INSERT INTO user_password VALUES ('default', '%s', 'hash', 1)", person);
        change(
                people,
                """
                INSERT INTO browser_session (hash, tenant_id, user_id, created_at, expires_at)
                VALUES ('s' || '%1$s', 'default', '%1$s', 1, 9999999999999)
                """,
                person);
        change(
                people,
                """
                INSERT INTO queued_message (conversation_id, message_id, position, tenant_id, user_id,
                                            run_id, text, attachments, paused, created_at)
                VALUES ('%2$s', 'm%1$s', 1, 'default', '%1$s', 'r%1$s', 'later', '[]', 1, 1)
                """
                        .replace("%2$s", chat),
                person);
        change(
                people,
                """
                INSERT INTO ask (run_id, id, tenant_id, conversation_id, row_id, kind, tool, options,
                                 status, asked_at)
                SELECT MIN(id), 'a', 'default', '%2$s', 'q%1$s', 'question', 'ask', '[]', 'ended', 1
                  FROM run WHERE conversation_id = '%2$s'
                """
                        .replace("%2$s", chat),
                person);
        change(
                people,
                """
                INSERT INTO model_usage (run_id, seq, tenant_id, user_id, conversation_id, model,
                                         calls, input_tokens, output_tokens, cache_read_tokens,
                                         cache_write_tokens, at)
                VALUES ('u%1$s', 1, 'default', '%1$s', '%2$s', 'm', 1, 1, 1, 0, 0, 1)
                """
                        .replace("%2$s", chat),
                person);
    }

    /** One word of the search. */
    private static String word(Person person) {
        return "rhubarb" + person.id().replace("-", "");
    }

    private static List<String> conversations(TestPeople people, Person person) {
        return people.database()
                .read(
                        tx ->
                                tx.query("SELECT id FROM conversation WHERE user_id = :user")
                                        .bind("user", person.id())
                                        .mapTo(String.class)
                                        .list());
    }

    private static void change(TestPeople people, String sql, Person person) {
        people.database().change(tx -> tx.update(sql.formatted(person.id())).execute());
    }

    private static String newChat(TestPeople people, Person person, String title) throws Exception {
        HttpRequest request =
                request(people, person, "/api/assistant/chats")
                        .header("Content-Type", "application/json")
                        .header("Idempotency-Key", title.replace(" ", "-"))
                        .POST(BodyPublishers.ofString("{\"title\":\"" + title + "\"}"))
                        .build();
        return json(people.server().send(request)).get("id").stringValue();
    }

    /** Until its end. */
    private static void turn(TestPeople people, Person person, Map<String, ?> body)
            throws Exception {
        assertThat(post(people, person, "/api/assistant/chat/stream", body).body())
                .contains("\"succeeded\"");
    }

    private static void form(TestPeople people, Person person, String path, String word)
            throws Exception {
        HttpRequest file =
                request(people, person, path)
                        .header("Content-Type", MultipartBody.CONTENT_TYPE)
                        .POST(new MultipartBody().file(word + ".txt", word).publisher())
                        .build();
        assertThat(people.server().send(file).statusCode()).isEqualTo(201);
    }

    private static HttpResponse<String> post(
            TestPeople people, Person person, String path, Map<String, ?> body) throws Exception {
        HttpResponse<String> answer =
                send(people, person, "POST", path, Json.MAPPER.writeValueAsString(body));
        assertThat(answer.statusCode()).as(path + " " + answer.body()).isIn(200, 201);
        return answer;
    }

    private static HttpResponse<String> send(
            TestPeople people, Person person, String method, String path, @Nullable String body)
            throws Exception {
        BodyPublisher publisher =
                body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body);
        HttpRequest.Builder request = request(people, person, path).method(method, publisher);
        if (body != null) {
            request.header("Content-Type", "application/json");
        }
        return people.server().send(request.build());
    }

    private static HttpRequest.Builder request(TestPeople people, Person person, String path) {
        return people.server().request(path).setHeader("Authorization", "Bearer " + person.key());
    }

    private static JsonNode json(HttpResponse<String> answer) {
        return Json.MAPPER.readTree(answer.body());
    }

    /** Also the erasure of objects is done: it has rows until then. */
    private static List<String> tablesWith(TestPeople people, List<String> texts) {
        List<String> found = new ArrayList<>(tables(people, texts));
        found.removeAll(NOT_CONTENT);
        return found;
    }

    private static List<String> tables(TestPeople people, List<String> texts) {
        String sql =
                people.database().dialect() == Dialect.SQLITE
                        ? "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE"
                                + " 'search_index%'"
                        : "SELECT tablename FROM pg_tables WHERE schemaname = 'public'";
        return people.database()
                .read(
                        tx ->
                                tx.query(sql).mapTo(String.class).list().stream()
                                        .filter(table -> mentions(tx, table, texts))
                                        .toList());
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

    /** What the search would find; in SQLite the index is a table of its own. */
    private static long entriesOfIndex(TestPeople people, List<String> texts) {
        String sql =
                people.database().dialect() == Dialect.SQLITE
                        ? "SELECT COUNT(*) FROM search_index WHERE search_index MATCH :word"
                        : "SELECT COUNT(*) FROM search_entry WHERE words::text LIKE '%' || :word ||"
                                + " '%'";
        return people.database()
                .read(tx -> tx.query(sql).bind("word", texts.getFirst()).mapTo(Long.class).one());
    }

    /** By name or content; pages of a database keep what was deleted until they are used again. */
    private static List<Path> filesWith(Path directory, List<String> texts) throws IOException {
        List<Path> found = new ArrayList<>();
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.toList()) {
                if (!path.getFileName().toString().startsWith("satchel.db")
                        && texts.stream().anyMatch((path + content(path))::contains)) {
                    found.add(path);
                }
            }
        }
        return found;
    }

    private static String content(Path path) throws IOException {
        try {
            return Files.isRegularFile(path) ? new String(Files.readAllBytes(path), UTF_8) : "";
        } catch (NoSuchFileException e) {
            return ""; // a temporary file of the server
        }
    }
}
