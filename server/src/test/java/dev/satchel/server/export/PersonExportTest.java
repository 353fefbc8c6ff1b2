package dev.satchel.server.export;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.access.UserRole;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.testing.CheckedHttpClient;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.TestPeople;
import dev.satchel.server.testing.TestPeople.Person;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

@Timeout(120)
class PersonExportTest {
    @ParameterizedTest
    @EnumSource(Dialect.class)
    void theArchiveHasEverythingOfThePerson(Dialect dialect) throws Exception {
        try (TestPeople people = TestPeople.startWhole(dialect, null)) {
            Person ann = people.add("default", UserRole.MEMBER);
            Person bob = people.add("default", UserRole.MEMBER);
            String chat = fill(people, ann, "quince");
            String his = fill(people, bob, "medlar");

            Map<String, String> entries = export(people, ann);

            String folder = "chats/" + chat + "/";
            assertThat(entries)
                    .containsKeys(
                            "person.json", "login-sessions.json", "usage.json", "limits.json");
            assertThat(json(entries, "person.json").at("/0/id").stringValue()).isEqualTo(ann.id());
            assertThat(json(entries, "chats.json")).hasSize(1);
            assertThat(json(entries, folder + "messages.json").toString())
                    .contains("\"role\":\"user\"", "\"role\":\"assistant\"", "quince");
            assertThat(entries.get(folder + "workspace/made.txt")).isEqualTo("quince\n");
            assertThat(fileWithEnding(entries, "/quince.txt")).isEqualTo("quince");
            assertThat(fileWithEnding(entries, "/later.txt")).isEqualTo("quince");
            String run = json(entries, folder + "runs.json").at("/0/id").stringValue();
            assertThat(json(entries, folder + "runs/" + run + "-log.json")).isNotEmpty();
            assertThat(entries.get("keys.json"))
                    .contains("\"name\":\"test\"")
                    .doesNotContain("hash", ann.key());
            assertThat(entries.toString()).doesNotContain("medlar", bob.id(), his, "storage_key");
        }
    }

    @Test
    void listsWithManyRowsAreComplete() throws Exception {
        try (TestPeople people = TestPeople.start(Dialect.SQLITE, null)) {
            Person ann = people.add("default", UserRole.MEMBER);
            for (int i = 0; i < 1001; i++) {
                String number = "k" + i;
                people.database()
                        .change(
                                tx ->
                                        tx.update(
                                                        """
                                                        INSERT INTO usage_limit VALUES ('default', :user, :name, 1)
                                                        """)
                                                .bind("user", ann.id())
                                                .bind("name", number)
                                                .execute());
            }
            assertThat(json(export(people, ann), "limits.json")).hasSize(1001);
        }
    }

    @Test
    void nobodyElseExportsAPerson() throws Exception {
        try (TestPeople people = TestPeople.start(Dialect.SQLITE, null)) {
            Person ann = people.add("default", UserRole.MEMBER);
            Person bob = people.add("default", UserRole.MEMBER);
            String path = "/api/users/" + ann.id() + "/export";
            String restricted = people.key("default", ann.id(), "admin,chat,read");

            assertThat(people.server().sendAs(people.owner().key(), "GET", path).statusCode())
                    .isEqualTo(404);
            assertThat(people.server().sendAs(bob.key(), "GET", path).statusCode()).isEqualTo(404);
            assertThat(people.server().sendAs(restricted, "GET", path).statusCode()).isEqualTo(403);
        }
    }

    /** A chat with a file and a turn, and an upload that no chat has. */
    private static String fill(TestPeople people, Person person, String word) throws Exception {
        String made = send(people, person, "/api/assistant/chats", "application/json", "{}").body();
        String chat = Json.MAPPER.readTree(made).get("id").stringValue();
        form(people, person, "/api/assistant/chats/" + chat + "/files", word + ".txt", word);
        String message =
                Json.MAPPER.writeValueAsString(
                        Map.of("chatId", chat, "message", "/sh echo " + word + " > made.txt"));
        send(people, person, "/api/assistant/chat/stream", "application/json", message);
        form(people, person, "/agent-server/api/upload", "later.txt", word);
        return chat;
    }

    private static void form(
            TestPeople people, Person person, String path, String name, String content)
            throws Exception {
        HttpRequest request =
                request(people, person, path)
                        .header("Content-Type", MultipartBody.CONTENT_TYPE)
                        .POST(new MultipartBody().file(name, content).publisher())
                        .build();
        assertThat(people.server().send(request).statusCode()).isEqualTo(201);
    }

    private static HttpResponse<String> send(
            TestPeople people, Person person, String path, String type, String body)
            throws Exception {
        HttpResponse<String> answer =
                people.server()
                        .send(
                                request(people, person, path)
                                        .header("Content-Type", type)
                                        .POST(BodyPublishers.ofString(body))
                                        .build());
        assertThat(answer.statusCode()).isIn(200, 201);
        return answer;
    }

    private static HttpRequest.Builder request(TestPeople people, Person person, String path) {
        return people.server().request(path).setHeader("Authorization", "Bearer " + person.key());
    }

    private static Map<String, String> export(TestPeople people, Person person) throws Exception {
        HttpRequest request =
                request(people, person, "/api/users/" + person.id() + "/export").build();
        Map<String, String> entries = new LinkedHashMap<>();
        try (HttpClient client = CheckedHttpClient.http11()) {
            HttpResponse<InputStream> answer = client.send(request, BodyHandlers.ofInputStream());
            assertThat(answer.statusCode()).isEqualTo(200);
            try (ZipInputStream zip = new ZipInputStream(answer.body())) {
                for (ZipEntry entry = zip.getNextEntry();
                        entry != null;
                        entry = zip.getNextEntry()) {
                    entries.put(entry.getName(), new String(zip.readAllBytes(), UTF_8));
                }
            }
        }
        return entries;
    }

    private static String fileWithEnding(Map<String, String> entries, String ending) {
        return entries.entrySet().stream()
                .filter(entry -> entry.getKey().endsWith(ending))
                .findFirst()
                .orElseThrow(() -> new AssertionError(ending + " of " + entries.keySet()))
                .getValue();
    }

    private static JsonNode json(Map<String, String> entries, String name) {
        return Json.MAPPER.readTree(entries.get(name));
    }
}
