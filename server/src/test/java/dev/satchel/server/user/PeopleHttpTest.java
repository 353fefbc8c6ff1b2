package dev.satchel.server.user;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.CheckedHttpClient;
import dev.satchel.server.testing.TestServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** People of a tenant: what they may do, how they sign in, and that everything ends with them. */
class PeopleHttpTest {
    private static final String PASSWORD = "a long password";

    private final HttpClient client = CheckedHttpClient.http11();
    private TestServer server;

    @BeforeEach
    void start() throws Exception {
        server = TestServer.start((URI) null);
    }

    @AfterEach
    void stop() {
        server.close();
        client.close();
    }

    @Test
    void rolesAllowWhatTheRouteWants() throws Exception {
        String member = session(invite("Mia", "mia@example.org", "member"));
        String viewer = session(invite("Val", "val@example.org", "viewer"));

        assertThat(as(member, "POST", "/api/assistant/chats", "{}").statusCode()).isEqualTo(201);
        assertThat(as(member, "GET", "/api/users", "").statusCode()).isEqualTo(403);
        assertThat(as(member, "POST", "/api/users", person("X", "x@example.org")).statusCode())
                .isEqualTo(403);
        HttpResponse<String> refused = as(viewer, "POST", "/api/assistant/chats", "{}");
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(refused.body()).contains("this needs the role member, and yours is viewer");
        assertThat(as(viewer, "GET", "/api/assistant/chats", "").statusCode()).isEqualTo(200);
    }

    @Test
    void keyHasItsScopesOnlyAndMakesNoOtherWithMore() throws Exception {
        JsonNode made =
                post("/api/keys", Map.of("name", "reader", "scopes", List.of("read", "admin")));
        String key = made.get("key").stringValue();

        assertThat(server.sendAs(key, "GET", "/api/assistant/chats").statusCode()).isEqualTo(200);
        assertThat(withKey(key, "POST", "/api/assistant/chats", "{}").statusCode()).isEqualTo(403);
        String more = "{\"name\":\"more\",\"scopes\":[\"chat\"]}";
        assertThat(withKey(key, "POST", "/api/keys", more).statusCode()).isEqualTo(403);
        String link = json(withKey(key, "POST", "/api/login-links", "")).get("url").stringValue();
        String session = session(URI.create(link));
        assertThat(as(session, "POST", "/api/assistant/chats", "{}").statusCode()).isEqualTo(403);
    }

    @Test
    void lastKeyThatReachesEverythingNeedsForce() throws Exception {
        String id = server.getJson("/api/keys").at("/keys/0/id").stringValue();

        assertThat(server.sendAs(TestServer.KEY, "DELETE", "/api/keys/" + id).statusCode())
                .isEqualTo(409);
        assertThat(
                        server.sendAs(TestServer.KEY, "DELETE", "/api/keys/" + id + "?force=true")
                                .statusCode())
                .isEqualTo(204);
    }

    @Test
    void everythingThatCameOfAKeyEndsWithIt() throws Exception {
        JsonNode key = post("/api/keys", Map.of("name", "laptop"));
        String secret = key.get("key").stringValue();
        String first =
                session(
                        URI.create(
                                json(withKey(secret, "POST", "/api/login-links", ""))
                                        .get("url")
                                        .stringValue()));
        String second =
                session(
                        URI.create(
                                json(as(first, "POST", "/api/login-links", ""))
                                        .get("url")
                                        .stringValue()));
        String id = key.get("id").stringValue();

        assertThat(server.sendAs(TestServer.KEY, "DELETE", "/api/keys/" + id).statusCode())
                .isEqualTo(204);

        assertThat(as(first, "GET", "/api/me", "").statusCode()).isEqualTo(401);
        assertThat(as(second, "GET", "/api/me", "").statusCode()).isEqualTo(401);
    }

    @Test
    void removedPersonIsOutAtOnceAlsoOfAnOpenStream() throws Exception {
        JsonNode invitation = invitation("Mia", "mia@example.org", "member");
        String session = session(URI.create(invitation.get("url").stringValue()));
        String chat =
                json(as(session, "POST", "/api/assistant/chats", "{}")).at("/id").stringValue();
        HttpResponse<InputStream> stream =
                client.send(
                        HttpRequest.newBuilder(server.url("/api/sessions/" + chat + "/changes"))
                                .header("Cookie", session)
                                .build(),
                        BodyHandlers.ofInputStream());
        assertThat(stream.statusCode()).isEqualTo(200);
        String person = "/api/users/" + invitation.at("/user/id").stringValue();

        assertThat(server.sendAs(TestServer.KEY, "DELETE", person).statusCode()).isEqualTo(204);

        assertThat(endOf(stream.body())).isTrue();
        assertThat(as(session, "GET", "/api/me", "").statusCode()).isEqualTo(401);
        assertThat(server.sendAs(TestServer.KEY, "GET", person).statusCode()).isEqualTo(404);
    }

    @Test
    void lastOwnerStays() throws Exception {
        assertThat(server.send("PATCH", "/api/users/owner", Map.of("role", "member")).statusCode())
                .isEqualTo(409);
        assertThat(server.sendAs(TestServer.KEY, "DELETE", "/api/users/owner").statusCode())
                .isEqualTo(409);
    }

    @Test
    void ofTwoInvitationsOfAnAddressOneIsMade() throws Exception {
        List<Callable<Integer>> both =
                List.of(() -> tryToInvite("MIA@example.org"), () -> tryToInvite("mia@Example.org"));
        List<Integer> codes = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Integer> code : threads.invokeAll(both)) {
                codes.add(code.get());
            }
        }

        assertThat(codes).containsExactlyInAnyOrder(201, 409);
    }

    @Test
    void invitedPersonChoosesAPasswordAndSignsInWithItInAnyCase() throws Exception {
        URI link = invite("Mia", "Mia@Example.org", "member");
        HttpResponse<String> welcome = client.send(get(link, ""), BodyHandlers.ofString());
        assertThat(welcome.body()).contains("Welcome, Mia", "action=\"/login/password\"");
        assertThat(welcome.headers().firstValue("Content-Security-Policy").orElseThrow())
                .contains("default-src 'none'", "form-action 'self'");
        String session = cookie(welcome);
        assertThat(form("/login/password", "password=short", session).statusCode()).isEqualTo(400);
        assertThat(form("/login/password", "password=" + PASSWORD, session).statusCode())
                .isEqualTo(303);

        HttpResponse<String> wrong = form("/login", "email=mia@example.org&password=no", "");
        assertThat(wrong.statusCode()).isEqualTo(401);
        assertThat(wrong.body()).contains("The e-mail address or the password is wrong.");
        HttpResponse<String> right =
                form("/login", "email=mia@example.org&password=" + PASSWORD, "");

        assertThat(right.statusCode()).isEqualTo(303);
        assertThat(as(cookie(right), "GET", "/api/me", "").body())
                .contains("\"name\":\"Mia\"", "\"role\":\"member\"");
        assertThat(
                        form(
                                        "/login",
                                        "workspace=other&email=mia@example.org&password="
                                                + PASSWORD,
                                        "")
                                .statusCode())
                .isEqualTo(401);
    }

    @Test
    void formOfAnotherSiteSignsNobodyIn() throws Exception {
        HttpRequest foreign =
                HttpRequest.newBuilder(server.url("/login"))
                        .header("Origin", "https://evil.example")
                        .POST(BodyPublishers.ofString("email=a@example.org&password=x"))
                        .build();

        assertThat(client.send(foreign, BodyHandlers.ofString()).statusCode()).isEqualTo(403);
    }

    @Test
    void linkReplacesTheSessionOfAnotherPersonAfterAQuestionOnly() throws Exception {
        String owner = session(link());
        URI invitation = invite("Mia", "mia@example.org", "member");

        HttpResponse<String> question =
                client.send(get(invitation, owner), BodyHandlers.ofString());

        assertThat(question.body()).contains("signed in as <strong>Owner</strong>", "Mia");
        assertThat(question.headers().firstValue("Set-Cookie")).isEmpty();
        assertThat(as(owner, "GET", "/api/me", "").statusCode()).isEqualTo(200);
        HttpResponse<String> yes = form("/login", invitation.getQuery(), owner);
        assertThat(as(cookie(yes), "GET", "/api/me", "").body()).contains("\"name\":\"Mia\"");
        assertThat(as(owner, "GET", "/api/me", "").statusCode()).isEqualTo(401);
    }

    @Test
    void browserThatIsSignedInIsListedAndCanBeEnded() throws Exception {
        String mine = session(link());
        String other = session(link());
        JsonNode sessions = json(as(mine, "GET", "/api/login-sessions", "")).get("sessions");
        assertThat(sessions.size()).isEqualTo(2);

        assertThat(as(mine, "DELETE", "/api/login-sessions", "").statusCode()).isEqualTo(204);

        assertThat(as(other, "GET", "/api/me", "").statusCode()).isEqualTo(401);
        assertThat(as(mine, "GET", "/api/me", "").statusCode()).isEqualTo(200);
    }

    @Test
    void anotherTenantNeitherSeesNorChangesThePeople() throws Exception {
        JsonNode invitation = invitation("Mia", "mia@example.org", "member");
        String person = "/api/users/" + invitation.at("/user/id").stringValue();
        String other = server.keyOf("other");

        assertThat(server.sendAs(other, "GET", person).statusCode()).isEqualTo(404);
        assertThat(server.sendAs(other, "DELETE", person).statusCode()).isEqualTo(404);
        assertThat(server.sendAs(other, "GET", "/api/users").body()).doesNotContain("Mia");
        assertThat(server.sendAs(other, "GET", "/api/audit").body()).doesNotContain("invited");
    }

    @Test
    void auditLogNamesThePersonAndTheCredential() throws Exception {
        String session = session(invite("Mia", "mia@example.org", "member"));
        assertThat(as(session, "POST", "/api/keys", "{\"name\":\"ci\"}").statusCode())
                .isEqualTo(201);

        JsonNode events = server.getJson("/api/audit").get("events");

        assertThat(events.valueStream().map(event -> event.get("action").stringValue()))
                .containsExactly("person", "sign_in", "key");
        assertThat(events.get(0).get("userId").stringValue()).isEqualTo("owner");
        assertThat(events.get(2).get("credential").stringValue()).startsWith("session:");
        HttpResponse<String> lines =
                server.send(
                        server.request("/api/audit")
                                .header("Accept", "application/x-ndjson")
                                .build());
        assertThat(lines.body().lines()).hasSize(3);
        assertThat(as(session, "GET", "/api/audit", "").statusCode()).isEqualTo(403);
    }

    private static boolean endOf(InputStream stream) {
        try (stream) {
            byte[] _ = stream.readAllBytes();
            return true;
        } catch (IOException e) {
            return true; // the connection was closed in the middle of the stream
        }
    }

    private int tryToInvite(String email) throws Exception {
        return server.send(
                        "POST", "/api/users", Map.of("name", "M", "email", email, "role", "member"))
                .statusCode();
    }

    private JsonNode invitation(String name, String email, String role) throws Exception {
        return post("/api/users", Map.of("name", name, "email", email, "role", role));
    }

    private URI invite(String name, String email, String role) throws Exception {
        return URI.create(invitation(name, email, role).get("url").stringValue());
    }

    private URI link() throws Exception {
        return URI.create(post("/api/login-links", Map.of()).get("url").stringValue());
    }

    private static String person(String name, String email) {
        return "{\"name\":\"%s\",\"email\":\"%s\",\"role\":\"owner\"}".formatted(name, email);
    }

    private String session(URI link) throws Exception {
        return cookie(client.send(get(link, ""), BodyHandlers.ofString()));
    }

    private static String cookie(HttpResponse<String> response) {
        String cookie = response.headers().firstValue("Set-Cookie").orElseThrow();
        return cookie.substring(0, cookie.indexOf(';'));
    }

    private static HttpRequest get(URI address, String cookie) {
        HttpRequest.Builder request = HttpRequest.newBuilder(address);
        if (!cookie.isEmpty()) {
            request.header("Cookie", cookie);
        }
        return request.build();
    }

    private HttpResponse<String> form(String path, String fields, String cookie) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(server.url(path))
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .header("Sec-Fetch-Site", "same-origin")
                        .POST(BodyPublishers.ofString(fields.replace(" ", "+")));
        if (!cookie.isEmpty()) {
            request.header("Cookie", cookie);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> as(String cookie, String method, String path, String body)
            throws Exception {
        return send(
                HttpRequest.newBuilder(server.url(path))
                        .header("Cookie", cookie)
                        .header("Sec-Fetch-Site", "same-origin"),
                method,
                body);
    }

    private HttpResponse<String> withKey(String key, String method, String path, String body)
            throws Exception {
        return send(
                HttpRequest.newBuilder(server.url(path)).header("X-Api-Key", key), method, body);
    }

    private HttpResponse<String> send(HttpRequest.Builder request, String method, String body)
            throws Exception {
        return client.send(
                request.header("Content-Type", "application/json")
                        .method(method, BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    private JsonNode post(String path, Map<String, ?> body) throws Exception {
        return json(server.post(path, body));
    }

    private static JsonNode json(HttpResponse<String> response) {
        return Json.MAPPER.readTree(response.body());
    }
}
