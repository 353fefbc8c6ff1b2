package dev.satchel.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.http.Route;
import dev.satchel.protocol.Json;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestPeople;
import dev.satchel.server.testing.TestPeople.Person;
import dev.satchel.server.testing.TestServer;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What belongs to one person of a tenant is unknown to every other, also to its owners. */
@Timeout(60)
@ParameterizedClass
@EnumSource(Dialect.class)
class PrivateContentTest {
    private static final String SECRET = "rhubarbcompote";

    private static ScriptedSandbox sandbox;
    private static Map<Dialect, TestPeople> all;
    private final TestPeople people;
    private final TestServer server;

    @BeforeAll
    static void start() throws Exception {
        sandbox = new ScriptedSandbox();
        all = new LinkedHashMap<>();
        for (Dialect dialect : Dialect.values()) {
            all.put(dialect, TestPeople.start(dialect, sandbox.url()));
        }
    }

    @AfterAll
    static void stop() {
        all.values().forEach(TestPeople::close);
        sandbox.close();
    }

    PrivateContentTest(Dialect dialect) {
        this.people = Objects.requireNonNull(all.get(dialect));
        this.server = people.server();
    }

    @Test
    void everyRouteAnswersTheIdsOfAnotherPersonLikeUnknownOnes() throws Exception {
        Person ann = people.add("default", UserRole.MEMBER);
        PersonContent hers = contentOf(ann);
        String before = send(ann, "GET", "/api/assistant/chats/" + hers.chat(), "").body();
        int routes = 0;
        for (ApiOperation route : privateRoutes()) {
            for (Person other : others()) {
                PersonContent unknown = PersonContent.unknown();
                HttpResponse<String> answer = call(other, route, hers);
                HttpResponse<String> expected = call(other, route, unknown);
                String shown = other.id() + " " + route.method() + " " + route.template();
                assertThat(answer.statusCode()).as(shown).isEqualTo(expected.statusCode());
                assertThat(hers.withoutIds(answer.body()))
                        .as(shown)
                        .isEqualTo(unknown.withoutIds(expected.body()));
                assertThat(answer.body()).as(shown).doesNotContain(SECRET);
            }
            routes++;
        }
        assertThat(routes).isGreaterThan(50);
        assertThat(send(ann, "GET", "/api/assistant/chats/" + hers.chat(), "").body())
                .isEqualTo(before);
    }

    /** Otherwise the test above could ask for nothing that exists. */
    @Test
    void theirPersonReadsThem() throws Exception {
        Person ann = people.add("default", UserRole.MEMBER);
        PersonContent hers = contentOf(ann);
        for (String path :
                List.of(
                        "/api/assistant/chats/{id}",
                        "/api/assistant/chats/{id}/files/{fileId}",
                        "/api/attachments/{id}",
                        "/api/runs/{runId}/trace",
                        "/api/runs/{runId}/files",
                        "/api/sessions/{id}",
                        "/agent-server/api/sessions/{sessionId}")) {
            assertThat(send(ann, "GET", hers.fill(path), "").statusCode()).as(path).isEqualTo(200);
        }
        assertThat(send(ann, "HEAD", "/api/uploads/" + hers.upload(), "").statusCode())
                .isEqualTo(200);
    }

    @Test
    void noListOfAnotherPersonShowsAnyOfIt() throws Exception {
        Person ann = people.add("default", UserRole.MEMBER);
        PersonContent hers = contentOf(ann);
        for (Person other : others()) {
            for (Route route : lists()) {
                String body = send(other, "GET", route.template() + "?q=" + SECRET, "").body();
                assertThat(body)
                        .as(other.id() + " " + route.template())
                        .doesNotContain(hers.chat(), hers.run(), hers.file(), SECRET);
            }
        }
        assertThat(send(ann, "GET", "/api/search?q=" + SECRET, "").body()).contains(hers.chat());
        assertThat(send(ann, "GET", "/api/sessions", "").body()).contains(hers.chat());
        assertThat(send(ann, "GET", "/api/storage", "").body()).contains(hers.chat());
    }

    @Test
    void aMessageOrAnUploadOfAnotherPersonIsUnknownInABodyToo() throws Exception {
        Person ann = people.add("default", UserRole.MEMBER);
        PersonContent hers = contentOf(ann);
        for (Person other : others()) {
            Map<String, Map<String, ?>> bodies = new LinkedHashMap<>();
            bodies.put("/api/assistant/chat/stream", Map.of("message", "x", "chatId", hers.chat()));
            bodies.put("/agent-server/api/chat/" + hers.chat(), Map.of("message", "x"));
            bodies.put(
                    "/agent-server/api/chat",
                    Map.of("message", "x", "context", Map.of("fileIds", List.of(hers.upload()))));
            bodies.put(
                    "/api/ai-sdk/chat",
                    Map.of(
                            "id",
                            hers.chat(),
                            "messages",
                            List.of(
                                    Map.of(
                                            "id",
                                            "m1",
                                            "role",
                                            "user",
                                            "parts",
                                            List.of(Map.of("type", "text", "text", "x"))))));
            for (Map.Entry<String, Map<String, ?>> body : bodies.entrySet()) {
                String json = Json.MAPPER.writeValueAsString(body.getValue());
                assertThat(send(other, "POST", body.getKey(), json).statusCode())
                        .as(other.id() + " " + body.getKey() + " " + json)
                        .isIn(404, 403, 422);
            }
        }
        assertThat(sandbox.nothingDispatched()).isTrue();
    }

    @Test
    void theSameNameOfAThreadIsADifferentChatForEachPerson() throws Exception {
        Person ann = people.add("default", UserRole.MEMBER);
        Person bob = people.add("default", UserRole.MEMBER);
        turn(ann, "/api/ai-sdk/chat", aiSdk("our-thread", "ann's words"));
        turn(bob, "/api/ai-sdk/chat", aiSdk("our-thread", "bob's words"));

        String path = "/api/ai-sdk/chat/our-thread/messages";
        assertThat(send(ann, "GET", path, "").body()).contains("ann's").doesNotContain("bob's");
        assertThat(send(bob, "GET", path, "").body()).contains("bob's").doesNotContain("ann's");
    }

    @Test
    void anIdempotencyKeyOfAnotherPersonIsADifferentOne() throws Exception {
        Person ann = people.add("default", UserRole.MEMBER);
        Person bob = people.add("default", UserRole.MEMBER);
        String first = keyed(ann, "{\"title\":\"hers\"}");
        String second = keyed(bob, "{\"title\":\"hers\"}");
        assertThat(keyed(ann, "{\"title\":\"hers\"}")).isEqualTo(first);
        assertThat(second).isNotEqualTo(first);
    }

    private String keyed(Person person, String body) throws Exception {
        HttpRequest request =
                request(person, "/api/assistant/chats")
                        .header("Idempotency-Key", "the-same-key")
                        .POST(BodyPublishers.ofString(body))
                        .build();
        return Json.MAPPER.readTree(server.send(request).body()).get("id").stringValue();
    }

    /** An owner of the tenant, a member, and somebody of another tenant. */
    private List<Person> others() throws Exception {
        return List.of(
                people.owner(),
                people.add("default", UserRole.MEMBER),
                new Person("acme", "owner", server.keyOf("acme")));
    }

    private List<ApiOperation> privateRoutes() {
        return ApiOperation.all().stream().filter(one -> one.of().equals("person")).toList();
    }

    /** Not the pages, the documents and the routes between the servers. */
    private static boolean isApi(String template) {
        return Stream.of("/api/", "/agent-server/").anyMatch(template::startsWith);
    }

    private List<Route> lists() {
        return server.routes().stream()
                .filter(route -> route.method().equals("GET") && isApi(route.template()))
                .filter(route -> !route.template().contains("{"))
                // owners read who did what with which chat there, and nothing of its content
                .filter(route -> !route.template().equals("/api/audit"))
                .toList();
    }

    private HttpResponse<String> call(Person person, ApiOperation route, PersonContent content)
            throws Exception {
        boolean hasBody = Set.of("POST", "PUT", "PATCH").contains(route.method());
        return send(person, route.method(), content.fill(route.template()), hasBody ? "{}" : "");
    }

    private PersonContent contentOf(Person person) throws Exception {
        return PersonContent.create(server, sandbox, person, SECRET);
    }

    private static Map<String, Object> aiSdk(String id, String text) {
        Map<String, Object> part = Map.of("type", "text", "text", text);
        return Map.of(
                "id",
                id,
                "messages",
                List.of(Map.of("id", "m1", "role", "user", "parts", List.of(part))));
    }

    /** A turn to its end. */
    private void turn(Person person, String path, Map<String, ?> body) throws Exception {
        String _ = PersonContent.turn(server, sandbox, person, path, body, SECRET);
    }

    private HttpRequest.Builder request(Person person, String path) {
        return server.request(path)
                .setHeader("Authorization", "Bearer " + person.key())
                .header("Content-Type", "application/json");
    }

    private HttpResponse<String> send(Person person, String method, String path, String body)
            throws Exception {
        HttpRequest.Builder request = request(person, path);
        if (path.startsWith("/api/uploads")) {
            request.header("Tus-Resumable", "1.0.0");
        }
        return server.send(request.method(method, BodyPublishers.ofString(body)).build());
    }
}
