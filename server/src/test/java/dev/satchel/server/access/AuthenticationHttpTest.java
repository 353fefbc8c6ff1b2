package dev.satchel.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.http.HttpServer;
import dev.satchel.http.Router;
import dev.satchel.http.connection.TrustedProxies;
import dev.satchel.protocol.Json;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.user.People;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class AuthenticationHttpTest {
    private static final TenantId ACME = new TenantId("acme");

    private final MovableClock clock = new MovableClock();
    private final HttpClient client = HttpClient.newHttpClient();
    private Database database;
    private ApiKeys keys;
    private BrowserLogins logins;
    private HttpServer server;
    private String acmeKey;
    private volatile URI publicUrl = URI.create("http://not.listening.yet");

    @BeforeEach
    void start() throws Exception {
        database = TestDatabases.fresh(Dialect.SQLITE);
        keys = new ApiKeys(database, new AccessStore(), clock);
        logins = new BrowserLogins(database, new AccessStore(), clock);
        AccessStore store = new AccessStore();
        Authentication access =
                new Authentication(
                        keys,
                        logins,
                        new CredentialUses(database, store, clock),
                        new FailedLoginLimiter(
                                clock, TrustedProxies.of(List.of("127.0.0.1", "::1"))),
                        () -> publicUrl);
        Router router = new Router();
        new People(
                        database,
                        store,
                        new People.Removal((_, _) -> {}, _ -> {}),
                        Optional.empty(),
                        clock)
                .addTo(router, access, keys, logins, this::base, _ -> Map.of());
        server = HttpServer.start("127.0.0.1", 0, router, Json.MAPPER, (_, _, _, _) -> {});
        publicUrl = base();
        acmeKey = keys.create(ACME, "test").secret().value();
    }

    @AfterEach
    void stop() {
        server.close();
        database.close();
        client.close();
    }

    @Test
    void aKeyIsTakenFromEitherHeader() throws Exception {
        assertThat(send("GET", "/api/me", "", "Authorization", "Bearer " + acmeKey).body())
                .contains("\"workspaceId\":\"acme\"");
        assertThat(send("GET", "/api/me", "", "Authorization", "bearer " + acmeKey).statusCode())
                .isEqualTo(200);
        assertThat(send("GET", "/api/me", "", "X-Api-Key", acmeKey).statusCode()).isEqualTo(200);
    }

    @Test
    void aMissingCredentialIs401WithAChallenge() throws Exception {
        HttpResponse<String> response = send("GET", "/api/me", "");

        assertThat(response.statusCode()).isEqualTo(401);
        assertThat(response.headers().firstValue("WWW-Authenticate")).contains("Bearer");
        assertThat(json(response).path("code").stringValue()).isEqualTo("unauthenticated");
        assertThat(send("GET", "/api/me", "", "Authorization", "Basic abc").statusCode())
                .isEqualTo(401);
    }

    @Test
    void theEleventhWrongKeyIs429() throws Exception {
        for (int i = 0; i < 10; i++) {
            assertThat(send("GET", "/api/me", "", "X-Api-Key", "wrong" + i).statusCode())
                    .isEqualTo(401);
        }
        HttpResponse<String> throttled = send("GET", "/api/me", "", "X-Api-Key", "wrong");
        assertThat(throttled.statusCode()).isEqualTo(429);
        assertThat(throttled.headers().firstValue("Retry-After")).contains("300");
        assertThat(send("GET", "/login?token=wrong", "").statusCode()).isEqualTo(429);

        // not even a right one, since a guess may be right
        assertThat(send("GET", "/api/me", "", "X-Api-Key", acmeKey).statusCode()).isEqualTo(429);
        assertThat(send("GET", path(logins.newLink(Caller.owner(ACME))), "").statusCode())
                .isEqualTo(429);

        clock.advance(Duration.ofMinutes(5));
        assertThat(send("GET", "/api/me", "", "X-Api-Key", "wrong").statusCode()).isEqualTo(401);
    }

    @Test
    void wrongKeysOfAClientBehindAProxyStopThatClientOnly() throws Exception {
        for (int i = 0; i < 10; i++) {
            String claimed = "192.0.2." + i + ", 198.51.100.1";
            assertThat(
                            send(
                                            "GET",
                                            "/api/me",
                                            "",
                                            "X-Api-Key",
                                            "wrong" + i,
                                            "X-Forwarded-For",
                                            claimed)
                                    .statusCode())
                    .isEqualTo(401);
        }

        assertThat(keyOf("198.51.100.1")).isEqualTo(429);
        assertThat(keyOf("198.51.100.2")).isEqualTo(200);
    }

    private int keyOf(String client) throws Exception {
        return send("GET", "/api/me", "", "X-Api-Key", acmeKey, "X-Forwarded-For", client)
                .statusCode();
    }

    @Test
    void aKeyThatWasUsedBeforeTheGuessesGoesOn() throws Exception {
        assertThat(send("GET", "/api/me", "", "X-Api-Key", acmeKey).statusCode()).isEqualTo(200);
        for (int i = 0; i < 11; i++) {
            HttpResponse<String> _ = send("GET", "/api/me", "", "X-Api-Key", "wrong" + i);
        }
        assertThat(send("GET", "/api/me", "", "X-Api-Key", acmeKey).statusCode()).isEqualTo(200);
    }

    @Test
    void aNewKeyIsShownOnceAndCanBeRevoked() throws Exception {
        HttpResponse<String> made =
                send("POST", "/api/keys", "{\"name\":\"ci\"}", "X-Api-Key", acmeKey);
        assertThat(made.statusCode()).isEqualTo(201);
        String key = json(made).path("key").stringValue();
        String id = json(made).path("id").stringValue();
        assertThat(send("GET", "/api/me", "", "X-Api-Key", key).statusCode()).isEqualTo(200);

        HttpResponse<String> list = send("GET", "/api/keys", "", "X-Api-Key", acmeKey);
        assertThat(list.body()).contains(id).doesNotContain(key);

        assertThat(send("DELETE", "/api/keys/" + id, "", "X-Api-Key", acmeKey).statusCode())
                .isEqualTo(204);
        assertThat(send("GET", "/api/me", "", "X-Api-Key", key).statusCode()).isEqualTo(401);
    }

    @Test
    void anotherTenantsKeyIs404() throws Exception {
        ApiKeys.NewKey other = keys.create(new TenantId("other"), "theirs");
        String id = other.key().id();

        assertThat(send("DELETE", "/api/keys/" + id, "", "X-Api-Key", acmeKey).statusCode())
                .isEqualTo(404);
        assertThat(send("GET", "/api/me", "", "X-Api-Key", other.secret().value()).statusCode())
                .isEqualTo(200);
    }

    @Test
    void onlyTheDefaultTenantCreatesKeysForOthers() throws Exception {
        String operator = keys.create(TenantId.DEFAULT, "operator").secret().value();
        String body = "{\"name\":\"x\",\"workspaceId\":\"fresh\"}";

        assertThat(send("POST", "/api/keys", body, "X-Api-Key", acmeKey).statusCode())
                .isEqualTo(403);
        HttpResponse<String> made = send("POST", "/api/keys", body, "X-Api-Key", operator);
        String key = json(made).path("key").stringValue();
        assertThat(send("GET", "/api/me", "", "X-Api-Key", key).body())
                .contains("\"workspaceId\":\"fresh\"");
        String bad = "{\"name\":\"x\",\"workspaceId\":\"../up\"}";
        assertThat(send("POST", "/api/keys", bad, "X-Api-Key", operator).statusCode())
                .isEqualTo(400);
    }

    @Test
    void aLinkLogsOneBrowserInOnce() throws Exception {
        String path = path(logins.newLink(Caller.owner(ACME)));
        assertThat(send("HEAD", path, "").statusCode()).isEqualTo(200); // a preview

        HttpResponse<String> welcome = send("GET", path, "");
        assertThat(welcome.statusCode()).isEqualTo(200);
        String cookie = welcome.headers().firstValue("Set-Cookie").orElseThrow();
        assertThat(cookie)
                .contains("HttpOnly", "SameSite=Strict", "Path=/", "Max-Age=2592000")
                .doesNotContain("Secure");
        String session = session(cookie);
        assertThat(send("GET", "/api/me", "", "Cookie", session).body())
                .contains("\"workspaceId\":\"acme\"");

        assertThat(send("GET", path, "").statusCode()).isEqualTo(401);
        assertThat(send("GET", path, "", "Cookie", session).statusCode()).isEqualTo(200);
    }

    @Test
    void behindHttpsTheCookieIsForHttpsOnly() throws Exception {
        publicUrl = URI.create("https://satchel.example");

        HttpResponse<String> welcome = send("GET", path(logins.newLink(Caller.owner(ACME))), "");

        assertThat(welcome.headers().firstValue("Set-Cookie").orElseThrow()).endsWith("; Secure");
    }

    @Test
    void aCookieIsValidOnlyFromOurOwnPages() throws Exception {
        String session = logIn();
        String body = "{\"name\":\"x\"}";

        assertThat(post(body, session).statusCode()).isEqualTo(403);
        assertThat(post(body, session, "Sec-Fetch-Site", "cross-site").statusCode()).isEqualTo(403);
        assertThat(post(body, session, "Sec-Fetch-Site", "same-site").statusCode()).isEqualTo(403);
        assertThat(post(body, session, "Origin", "http://evil.example").statusCode())
                .isEqualTo(403);
        assertThat(post(body, session, "Origin", "null").statusCode()).isEqualTo(403);
        assertThat(post(body, session, "Origin", base().toString()).statusCode()).isEqualTo(201);
        assertThat(post(body, session, "Sec-Fetch-Site", "same-origin").statusCode())
                .isEqualTo(201);
    }

    @Test
    void loggingOutEndsTheSession() throws Exception {
        String session = logIn();
        assertThat(send("POST", "/logout", "", "Cookie", session).statusCode()).isEqualTo(403);

        HttpResponse<String> out =
                send("POST", "/logout", "", "Cookie", session, "Sec-Fetch-Site", "same-origin");
        assertThat(out.statusCode()).isEqualTo(204);
        assertThat(out.headers().firstValue("Set-Cookie").orElseThrow()).contains("Max-Age=0");
        assertThat(send("GET", "/api/me", "", "Cookie", session).statusCode()).isEqualTo(401);
        assertThat(send("POST", "/logout", "").statusCode()).isEqualTo(204);
    }

    @Test
    void aSessionEndsAfterThirtyDaysHoweverMuchItIsUsed() throws Exception {
        String session = logIn();
        clock.advance(Duration.ofDays(29));
        HttpResponse<String> used = send("GET", "/api/me", "", "Cookie", session);
        assertThat(used.statusCode()).isEqualTo(200);
        assertThat(used.headers().map()).doesNotContainKey("set-cookie");

        clock.advance(Duration.ofDays(1));

        assertThat(send("GET", "/api/me", "", "Cookie", session).statusCode()).isEqualTo(401);
    }

    @Test
    void aKeyGetsANewLinkForItsOwnTenant() throws Exception {
        HttpResponse<String> made = send("POST", "/api/login-links", "", "X-Api-Key", acmeKey);

        assertThat(made.statusCode()).isEqualTo(201);
        URI link = URI.create(json(made).path("url").stringValue());
        String cookie =
                send("GET", link.getPath() + "?" + link.getQuery(), "")
                        .headers()
                        .firstValue("Set-Cookie")
                        .orElseThrow();
        assertThat(send("GET", "/api/me", "", "Cookie", session(cookie)).body()).contains("acme");
    }

    private String logIn() throws Exception {
        return session(
                send("GET", path(logins.newLink(Caller.owner(ACME))), "")
                        .headers()
                        .firstValue("Set-Cookie")
                        .orElseThrow());
    }

    private static String session(String setCookie) {
        return setCookie.substring(0, setCookie.indexOf(';'));
    }

    private static String path(BrowserLogins.Link link) {
        return "/login?token=" + link.token().value();
    }

    private URI base() {
        return URI.create("http://127.0.0.1:" + server.port());
    }

    private HttpResponse<String> post(String body, String session, String... headers)
            throws Exception {
        List<String> all = new java.util.ArrayList<>(List.of("Cookie", session));
        all.addAll(List.of(headers));
        return send("POST", "/api/keys", body, all.toArray(String[]::new));
    }

    private HttpResponse<String> send(String method, String path, String body, String... headers)
            throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(base() + path))
                        .method(method, BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private static JsonNode json(HttpResponse<String> response) {
        return Json.MAPPER.readTree(response.body());
    }
}
