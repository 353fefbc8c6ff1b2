package dev.satchel.server.share;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.access.UserRole;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestPeople;
import dev.satchel.server.testing.TestPeople.Person;
import dev.satchel.server.testing.TestServer.Events;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** Who reads a chat that its person shares, and that nobody changes it. */
@Timeout(60)
@ParameterizedClass
@EnumSource(Dialect.class)
class ShareTest {
    private final Dialect dialect;
    private ScriptedSandbox sandbox;
    private TestPeople people;
    private Person ann;
    private Person bob;
    private Person viewer;
    private String chat;

    ShareTest(Dialect dialect) {
        this.dialect = dialect;
    }

    @BeforeEach
    void start() throws Exception {
        sandbox = new ScriptedSandbox();
        people = TestPeople.start(dialect, sandbox.url());
        ann = people.add("default", UserRole.MEMBER);
        bob = people.add("default", UserRole.MEMBER);
        viewer = people.add("default", UserRole.VIEWER);
        chat = json(send(ann, "POST", "/api/assistant/chats", "{}")).get("id").stringValue();
        turn();
    }

    @AfterEach
    void stop() {
        people.close();
        sandbox.close();
    }

    @Test
    void sharedWithTheTenantIsReadByItsPeopleAlsoByViewersAndByNobodyElse() throws Exception {
        String id = share("{\"with\":\"tenant\"}");
        Person stranger = new Person("acme", "owner", people.server().keyOf("acme"));

        for (Person reader : List.of(bob, viewer, people.owner(), ann)) {
            JsonNode shared = json(send(reader, "GET", "/api/shares/" + id, ""));
            assertThat(shared.at("/messages/0/content/0/text").stringValue()).isEqualTo("go");
            assertThat(shared.get("userId").stringValue()).isEqualTo(ann.id());
            assertThat(json(send(reader, "GET", "/api/shares/" + id + "/files", ""))).isNotEmpty();
        }
        assertThat(listed(bob)).containsExactly(id);
        assertThat(listed(viewer)).containsExactly(id);
        assertThat(listed(ann)).isEmpty();
        assertThat(listed(stranger)).isEmpty();
        assertThat(send(stranger, "GET", "/api/shares/" + id, "").statusCode()).isEqualTo(404);
    }

    @Test
    void sharedWithOnePersonIsReadByThatPersonOnly() throws Exception {
        String id = share("{\"with\":{\"user\":\"" + bob.id() + "\"}}");

        assertThat(send(bob, "GET", "/api/shares/" + id, "").statusCode()).isEqualTo(200);
        assertThat(listed(bob)).containsExactly(id);
        for (Person other : List.of(viewer, people.owner())) {
            assertThat(send(other, "GET", "/api/shares/" + id, "").statusCode()).isEqualTo(404);
            assertThat(listed(other)).isEmpty();
        }
        String unknown = "{\"with\":{\"user\":\"nobody\"}}";
        assertThat(send(ann, "POST", shares(), unknown).statusCode()).isEqualTo(400);
    }

    @Test
    void readersChangeNothingAndTheChatStaysPrivate() throws Exception {
        String id = share("{\"with\":\"tenant\"}");

        for (Person reader : List.of(bob, viewer, people.owner())) {
            String path = "/api/assistant/chats/" + chat;
            assertThat(send(reader, "GET", path, "").statusCode()).isEqualTo(404);
            assertThat(send(reader, "PATCH", path, "{\"title\":\"x\"}").statusCode())
                    .isIn(403, 404);
            assertThat(send(reader, "DELETE", shares() + "/" + id, "").statusCode()).isIn(403, 404);
            assertThat(send(reader, "GET", "/api/sessions/" + chat + "/files", "").statusCode())
                    .isEqualTo(404);
        }
        assertThat(send(ann, "GET", "/api/shares/" + id, "").statusCode()).isEqualTo(200);
    }

    @Test
    void threadIsReadInPages() throws Exception {
        turn();
        turn();
        String id = share("{\"with\":\"tenant\"}");
        turn();

        List<String> read = new ArrayList<>();
        String cursor = "";
        do {
            JsonNode page = json(send(bob, "GET", "/api/shares/" + id + "?limit=2" + cursor, ""));
            List<String> ids = new ArrayList<>();
            page.get("messages").forEach(message -> ids.add(message.get("id").stringValue()));
            read.addAll(0, ids);
            JsonNode next = page.get("nextCursor");
            cursor = next.isNull() ? "" : "&cursor=" + next.stringValue();
        } while (!cursor.isEmpty());

        List<String> all = new ArrayList<>();
        json(send(ann, "GET", "/api/assistant/chats/" + chat, ""))
                .get("messages")
                .forEach(message -> all.add(message.get("id").stringValue()));
        assertThat(all).hasSize(8);
        assertThat(read).isEqualTo(all.subList(0, 6));
    }

    @Test
    void sharesOfARemovedPersonEndAndThoseWithThemAreForgotten() throws Exception {
        String hers = share("{\"with\":\"tenant\"}");
        String withBob = share("{\"with\":{\"user\":\"" + bob.id() + "\"}}");
        assertThat(remove(bob)).isEqualTo(204);
        people.server().sweep();
        assertThat(send(ann, "GET", shares(), "").body()).contains(hers).doesNotContain(withBob);

        assertThat(remove(ann)).isEqualTo(204);
        assertThat(send(viewer, "GET", "/api/shares/" + hers, "").statusCode()).isEqualTo(404);
        assertThat(listed(viewer)).isEmpty();
        people.server().sweep();
        String count = "SELECT COUNT(*) FROM chat_share";
        long left = people.database().read(tx -> tx.query(count).mapTo(Long.class).one());
        assertThat(left).isZero();
    }

    private int remove(Person person) throws Exception {
        return send(people.owner(), "DELETE", "/api/users/" + person.id(), "").statusCode();
    }

    private String shares() {
        return "/api/assistant/chats/" + chat + "/shares";
    }

    private String share(String body) throws Exception {
        HttpResponse<String> made = send(ann, "POST", shares(), body);
        assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
        JsonNode share = Json.MAPPER.readTree(made.body());
        assertThat(share.has("url")).isFalse();
        return share.get("id").stringValue();
    }

    private List<String> listed(Person person) throws Exception {
        List<String> ids = new ArrayList<>();
        json(send(person, "GET", "/api/shares", ""))
                .get("shares")
                .forEach(share -> ids.add(share.get("id").stringValue()));
        return ids;
    }

    private void turn() throws Exception {
        String body = Json.MAPPER.writeValueAsString(Map.of("message", "go", "chatId", chat));
        HttpRequest request =
                request(ann, "/api/assistant/chat/stream")
                        .POST(BodyPublishers.ofString(body))
                        .build();
        try (Events events = people.server().events(request)) {
            sandbox.next().answers("done");
            events.rest();
        }
    }

    private HttpRequest.Builder request(Person person, String path) {
        return people.server()
                .request(path)
                .setHeader("Authorization", "Bearer " + person.key())
                .header("Content-Type", "application/json");
    }

    private HttpResponse<String> send(Person person, String method, String path, String body)
            throws Exception {
        return people.server()
                .send(request(person, path).method(method, BodyPublishers.ofString(body)).build());
    }

    private static JsonNode json(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isBetween(200, 299);
        return Json.MAPPER.readTree(response.body());
    }
}
