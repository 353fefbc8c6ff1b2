package dev.satchel.server.user;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.CheckedHttpClient;
import dev.satchel.server.testing.TestBrowser;
import dev.satchel.server.testing.TestServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** No credential gives more than the one that made it, and none goes on when that ends. */
class CredentialEndTest {
    private static final String PASSWORD = "a long password";
    private static final String OTHER_PASSWORD = "another long password";

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
    void restrictedKeyOrSessionSetsNoPassword() throws Exception {
        String key = key(TestServer.KEY, Map.of("scopes", List.of("admin", "read")));
        TestBrowser browser = browserOf(key);

        assertThat(withKey(key, "PUT", "/api/me/password", password(PASSWORD)).statusCode())
                .isEqualTo(403);
        assertThat(browser.submit("/login/password", password(PASSWORD)).statusCode())
                .isEqualTo(403);
    }

    @Test
    void keyThatExpiresSetsNoPasswordAndNeitherDoesItsSession() throws Exception {
        String key = key(TestServer.KEY, Map.of("expiresAt", inOneHour()));
        TestBrowser browser = browserOf(key);

        assertThat(withKey(key, "PUT", "/api/me/password", password(PASSWORD)).statusCode())
                .isEqualTo(403);
        assertThat(browser.send("PUT", "/api/me/password", password(PASSWORD)).statusCode())
                .isEqualTo(403);
    }

    @Test
    void passwordIsChangedWithTheOneBeforeOnlyAndEndsOtherSessions() throws Exception {
        TestBrowser mine = invited();
        assertThat(mine.submit("/login/password", password(PASSWORD)).statusCode()).isEqualTo(303);
        TestBrowser other = new TestBrowser(server, client);
        assertThat(signIn(other, PASSWORD).statusCode()).isEqualTo(303);

        assertThat(change(other, null).statusCode()).isEqualTo(403);
        assertThat(change(other, "a wrong password").statusCode()).isEqualTo(403);
        assertThat(mine.get("/api/me").statusCode()).isEqualTo(200);
        assertThat(change(other, PASSWORD).statusCode()).isEqualTo(204);

        assertThat(other.get("/api/me").statusCode()).isEqualTo(200);
        assertThat(mine.get("/api/me").statusCode()).isEqualTo(401);
        TestBrowser again = new TestBrowser(server, client);
        assertThat(signIn(again, PASSWORD).statusCode()).isEqualTo(401);
        assertThat(signIn(again, OTHER_PASSWORD).statusCode()).isEqualTo(303);
    }

    @Test
    void guessesOfThePasswordBeforeAreThrottled() throws Exception {
        TestBrowser mine = invited();
        mine.submit("/login/password", password(PASSWORD));
        TestBrowser stolen = new TestBrowser(server, client);
        signIn(stolen, PASSWORD);
        for (int i = 0; i < 10; i++) {
            assertThat(change(stolen, "guess " + i).statusCode()).isEqualTo(403);
        }

        assertThat(change(stolen, PASSWORD).statusCode()).isEqualTo(429);
    }

    @Test
    void invitationIsNotMadeAgainForWhoHasSignedInExceptAsAReset() throws Exception {
        JsonNode invitation = invitation();
        String person = "/api/users/" + invitation.at("/user/id").stringValue();
        assertThat(server.post(person + "/invitation", Map.of()).statusCode()).isEqualTo(201);
        String second =
                json(server.post(person + "/invitation", Map.of())).get("url").stringValue();
        TestBrowser mine = new TestBrowser(server, client);
        assertThat(mine.open(second).statusCode()).isEqualTo(200);
        mine.submit("/login/password", password(PASSWORD));
        assertThat(mine.get("/api/me").body()).doesNotContain("reset");

        HttpResponse<String> refused = server.post(person + "/invitation", Map.of());
        assertThat(refused.statusCode()).isEqualTo(409);
        assertThat(refused.body()).contains("has signed in before", "reset=true");
        JsonNode reset = json(server.post(person + "/invitation?reset=true", Map.of()));
        TestBrowser next = new TestBrowser(server, client);
        assertThat(next.open(reset.get("url").stringValue()).body()).contains("/login/password");
        assertThat(next.submit("/login/password", password(OTHER_PASSWORD)).statusCode())
                .isEqualTo(303);

        assertThat(next.submit("/login/password", password(PASSWORD)).statusCode())
                .isEqualTo(403); // a reset sets one password
        assertThat(json(next.get("/api/me")).at("/reset/by").asString()).isEqualTo("owner");
        assertThat(json(next.get("/api/me")).at("/reset/name").asString()).isEqualTo("Owner");
        assertThat(mine.get("/api/me").statusCode()).isEqualTo(401);
        assertThat(server.getJson("/api/audit").get("events").valueStream())
                .filteredOn(event -> event.get("action").stringValue().equals("reset"))
                .singleElement()
                .satisfies(
                        event -> {
                            assertThat(event.get("userId").stringValue()).isEqualTo("owner");
                            assertThat(person).endsWith(event.get("target").stringValue());
                        });
    }

    @Test
    void keysThatAKeyHasMadeEndWithIt() throws Exception {
        JsonNode parent = json(server.post("/api/keys", Map.of("name", "parent")));
        String child = key(parent.get("key").stringValue(), Map.of());
        String ofBrowser =
                browserOf(child)
                        .post("/api/keys", Map.of("name", "of a browser"))
                        .get("key")
                        .stringValue();
        assertThat(withKey(ofBrowser, "GET", "/api/me", Map.of()).statusCode()).isEqualTo(200);

        delete("/api/keys/" + parent.get("id").stringValue());

        assertThat(withKey(child, "GET", "/api/me", Map.of()).statusCode()).isEqualTo(401);
        assertThat(withKey(ofBrowser, "GET", "/api/me", Map.of()).statusCode()).isEqualTo(401);
    }

    @Test
    void keysThatAKeyHasMadeAreKeptOnRequestToReplaceIt() throws Exception {
        String first = server.getJson("/api/keys").at("/keys/0/id").stringValue();
        String next = key(TestServer.KEY, Map.of());
        assertThat(withKey(next, "DELETE", "/api/keys/" + first, Map.of()).statusCode())
                .isEqualTo(409); // the next one would end too

        assertThat(
                        withKey(next, "DELETE", "/api/keys/" + first + "?keepMade=true", Map.of())
                                .statusCode())
                .isEqualTo(204);

        assertThat(withKey(next, "GET", "/api/me", Map.of()).statusCode()).isEqualTo(200);
        assertThat(withKey(TestServer.KEY, "GET", "/api/me", Map.of()).statusCode()).isEqualTo(401);
    }

    @Test
    void keyMakesNoneThatExpiresLater() throws Exception {
        long end = inOneHour();
        String parent = key(TestServer.KEY, Map.of("expiresAt", end));
        JsonNode child = json(withKey(parent, "POST", "/api/keys", Map.of("name", "child")));
        Map<String, Object> later = Map.of("name", "later", "expiresAt", end + 1);

        assertThat(child.get("expiresAt").longValue()).isEqualTo(end);
        assertThat(withKey(parent, "POST", "/api/keys", later).statusCode()).isEqualTo(400);
        assertThat(browserOf(parent).send("POST", "/api/keys", later).statusCode()).isEqualTo(400);
        assertThat(
                        json(withKey(TestServer.KEY, "GET", "/api/login-sessions", Map.of()))
                                .at("/sessions/0/expiresAt")
                                .longValue())
                .isEqualTo(end);
    }

    @Test
    void tokenOfAChatEndsWithTheKeyThatMadeIt() throws Exception {
        JsonNode key = json(server.post("/api/keys", Map.of("name", "ci")));
        String token =
                json(withKey(
                                key.get("key").stringValue(),
                                "POST",
                                "/api/assistant/chats/" + server.newChat() + "/mcp-token",
                                Map.of()))
                        .get("token")
                        .stringValue();
        assertThat(mcp(token)).isEqualTo(200);

        delete("/api/keys/" + key.get("id").stringValue());

        assertThat(mcp(token)).isEqualTo(401);
    }

    @Test
    void tokenOfAChatEndsWithTheSessionThatMadeItAndWithTheRole() throws Exception {
        JsonNode invitation = invitation();
        TestBrowser browser = new TestBrowser(server, client);
        browser.open(invitation.get("url").stringValue());
        String token = token(browser);
        String kept = token(browser);
        assertThat(mcp(token)).isEqualTo(200);
        assertThat(mcp(kept)).isEqualTo(200);
        String person = "/api/users/" + invitation.at("/user/id").stringValue();

        server.send("PATCH", person, Map.of("role", "viewer"));
        assertThat(mcp(token)).isEqualTo(401);
        server.send("PATCH", person, Map.of("role", "member"));
        assertThat(mcp(token)).isEqualTo(200);
        browser.submit("/logout", Map.of());

        assertThat(mcp(token)).isEqualTo(401);
        assertThat(mcp(kept)).isEqualTo(401);
    }

    private String token(TestBrowser browser) throws Exception {
        String chat = browser.post("/api/assistant/chats", Map.of()).get("id").stringValue();
        return browser.post("/api/assistant/chats/" + chat + "/mcp-token", Map.of())
                .get("token")
                .stringValue();
    }

    private int mcp(String token) throws Exception {
        String message = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}";
        return client.send(
                        HttpRequest.newBuilder(server.url("/mcp"))
                                .header("Authorization", "Bearer " + token)
                                .header("Content-Type", "application/json")
                                .header("Accept", "application/json, text/event-stream")
                                .POST(BodyPublishers.ofString(message))
                                .build(),
                        BodyHandlers.ofString())
                .statusCode();
    }

    private JsonNode invitation() throws Exception {
        return json(
                server.post(
                        "/api/users",
                        Map.of("name", "Mia", "email", "mia@example.org", "role", "member")));
    }

    private TestBrowser invited() throws Exception {
        TestBrowser browser = new TestBrowser(server, client);
        assertThat(browser.open(invitation().get("url").stringValue()).statusCode()).isEqualTo(200);
        return browser;
    }

    private static HttpResponse<String> signIn(TestBrowser browser, String password)
            throws Exception {
        return browser.submit("/login", Map.of("email", "mia@example.org", "password", password));
    }

    private static HttpResponse<String> change(TestBrowser browser, @Nullable String before)
            throws Exception {
        Map<String, String> body = new HashMap<>(password(OTHER_PASSWORD));
        if (before != null) {
            body.put("oldPassword", before);
        }
        return browser.send("PUT", "/api/me/password", body);
    }

    private static Map<String, String> password(String password) {
        return Map.of("password", password);
    }

    private static long inOneHour() {
        return System.currentTimeMillis() + 3_600_000;
    }

    /** A new key that another key makes. */
    private String key(String maker, Map<String, ?> settings) throws Exception {
        Map<String, Object> body = new HashMap<>(settings);
        body.put("name", "made");
        return json(withKey(maker, "POST", "/api/keys", body)).get("key").stringValue();
    }

    private TestBrowser browserOf(String key) throws Exception {
        TestBrowser browser = new TestBrowser(server, client);
        JsonNode link = json(withKey(key, "POST", "/api/login-links", Map.of()));
        assertThat(browser.open(link.get("url").stringValue()).statusCode()).isEqualTo(200);
        return browser;
    }

    private void delete(String path) throws Exception {
        assertThat(server.sendAs(TestServer.KEY, "DELETE", path).statusCode()).isEqualTo(204);
    }

    private HttpResponse<String> withKey(
            String key, String method, String path, Map<String, ?> body) throws Exception {
        return client.send(
                HttpRequest.newBuilder(server.url(path))
                        .header("X-Api-Key", key)
                        .header("Content-Type", "application/json")
                        .method(
                                method,
                                body.isEmpty()
                                        ? BodyPublishers.noBody()
                                        : BodyPublishers.ofString(
                                                Json.MAPPER.writeValueAsString(body)))
                        .build(),
                BodyHandlers.ofString());
    }

    private static JsonNode json(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isBetween(200, 299);
        return Json.MAPPER.readTree(response.body());
    }
}
