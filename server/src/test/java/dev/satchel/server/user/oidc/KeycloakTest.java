package dev.satchel.server.user.oidc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** People sign in at a real Keycloak, through its own form. */
@Timeout(600)
class KeycloakTest {
    private static final String SECRET = "a secret of the test";
    private static final Pattern FORM =
            Pattern.compile("id=\"kc-form-login\"[^>]*action=\"([^\"]+)\"");
    private static final String JSON = "application/json";

    private static final LateClock CLOCK = new LateClock();

    private static KeycloakProcess keycloak;
    private static TestServer server;

    /** The time of this machine, and a bit later when a test says so. */
    private static final class LateClock extends Clock {
        private volatile Duration later = Duration.ZERO;

        @Override
        public Instant instant() {
            return Instant.now().plus(later);
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException("always UTC");
        }
    }

    @BeforeAll
    static void start() throws Exception {
        try (InputStream realm =
                KeycloakTest.class.getResourceAsStream("/oidc/satchel-realm.json")) {
            keycloak =
                    KeycloakProcess.start(new String(realm.readAllBytes(), StandardCharsets.UTF_8));
        }
        server = serve(SECRET);
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
        if (keycloak != null) {
            keycloak.close();
        }
    }

    @Test
    void personSignsInAtItsFormAndHasTheHighestOfItsRoles() throws Exception {
        try (SignInBrowser browser = browser()) {
            HttpResponse<String> page = signIn(browser, "ada");

            assertThat(page.body()).contains("You are signed in");
            JsonNode me = me(browser);
            assertThat(me.get("role").stringValue()).isEqualTo("owner");
            assertThat(me.get("name").stringValue()).isEqualTo("Ada Lovelace");
            assertThat(me.get("email").stringValue()).isEqualTo("ada@example.org");
        }
    }

    @Test
    void addressThatItHasNotVerifiedIsNotTaken() throws Exception {
        try (SignInBrowser browser = browser()) {
            assertThat(signIn(browser, "mallory").statusCode()).isEqualTo(200);

            assertThat(me(browser).get("role").stringValue()).isEqualTo("member");
            assertThat(me(browser).has("email")).isFalse();
        }
    }

    @Test
    void wrongPasswordStaysAtItsForm() throws Exception {
        try (SignInBrowser browser = browser()) {
            HttpResponse<String> form = browser.signIn();

            HttpResponse<String> again = submit(browser, form, "ada", "wrong");

            assertThat(again.body()).contains("kc-form-login");
            assertThat(browser.isSignedIn()).isFalse();
        }
    }

    @Test
    void signOutEndsItsSessionToo() throws Exception {
        try (SignInBrowser browser = browser()) {
            assertThat(signIn(browser, "ada").statusCode()).isEqualTo(200);
            assertThat(browser.signIn().body()).contains("You are signed in"); // without its form

            String url =
                    Json.MAPPER
                            .readTree(browser.post("/logout", "").body())
                            .get("url")
                            .stringValue();
            HttpResponse<String> back = browser.follow(browser.get(URI.create(url)));

            assertThat(back.uri()).isEqualTo(server.url("/login"));
            assertThat(browser.get("/api/me").statusCode()).isEqualTo(401);
            assertThat(browser.signIn().body()).contains("kc-form-login");
        }
    }

    @Test
    void itsNextKeyIsFound() throws Exception {
        try (SignInBrowser before = browser();
                SignInBrowser after = browser()) {
            assertThat(signIn(before, "ada").statusCode()).isEqualTo(200);
            addKey();
            CLOCK.later = CLOCK.later.plus(OidcKeys.PAUSE);

            assertThat(signIn(after, "ada").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void wrongSecretOfTheClientIsAPageAndNoFaultOfThePerson() throws Exception {
        try (TestServer other = serve("wrong");
                SignInBrowser browser = new SignInBrowser(other.url("/"))) {
            HttpResponse<String> page = signIn(browser, "ada");

            assertThat(page.statusCode()).isEqualTo(503);
            assertThat(page.body()).contains("The provider cannot be used at the moment.");
        }
    }

    private static TestServer serve(String secret) throws Exception {
        OidcSettings settings =
                new OidcSettings(
                        keycloak.issuer(),
                        "satchel",
                        secret,
                        "resource_access.satchel.roles",
                        List.of(),
                        "Keycloak");
        return TestServer.start(
                TestConfiguration.withOidc(
                        TestServer.configuration(
                                Files.createTempDirectory("satchel-test-"), null, null),
                        settings),
                CLOCK);
    }

    private static SignInBrowser browser() {
        return new SignInBrowser(server.url("/"));
    }

    private static HttpResponse<String> signIn(SignInBrowser browser, String name)
            throws IOException, InterruptedException {
        return submit(browser, browser.signIn(), name, "the password of " + name);
    }

    private static HttpResponse<String> submit(
            SignInBrowser browser, HttpResponse<String> page, String name, String password)
            throws IOException, InterruptedException {
        Matcher form = FORM.matcher(page.body());
        assertThat(form.find()).as(page.body()).isTrue();
        String fields =
                "username="
                        + name
                        + "&password="
                        + URLEncoder.encode(password, StandardCharsets.UTF_8);
        URI action = URI.create(form.group(1).replace("&amp;", "&"));
        return browser.follow(browser.post(action, fields));
    }

    private static JsonNode me(SignInBrowser browser) throws IOException, InterruptedException {
        return Json.MAPPER.readTree(browser.get("/api/me").body());
    }

    /** Its administrator adds a key, with which it signs from now on. */
    private static void addKey() throws IOException, InterruptedException {
        try (HttpClient admin =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            String form = "grant_type=password&client_id=admin-cli&username=admin&password=admin";
            HttpResponse<String> token =
                    admin.send(
                            HttpRequest.newBuilder(
                                            URI.create(
                                                    keycloak.url(
                                                            "/realms/master/protocol/openid-connect/token")))
                                    .header("Content-Type", "application/x-www-form-urlencoded")
                                    .POST(BodyPublishers.ofString(form))
                                    .build(),
                            BodyHandlers.ofString());
            String bearer = Json.MAPPER.readTree(token.body()).get("access_token").stringValue();
            Map<String, Object> key =
                    Map.of(
                            "name",
                            "next",
                            "providerId",
                            "rsa-generated",
                            "providerType",
                            "org.keycloak.keys.KeyProvider",
                            "config",
                            Map.of("priority", List.of("200"), "keySize", List.of("2048")));
            HttpResponse<String> added =
                    admin.send(
                            HttpRequest.newBuilder(
                                            URI.create(
                                                    keycloak.url(
                                                            "/admin/realms/"
                                                                    + KeycloakProcess.REALM
                                                                    + "/components")))
                                    .header("Authorization", "Bearer " + bearer)
                                    .header("Content-Type", JSON)
                                    .POST(
                                            BodyPublishers.ofString(
                                                    Json.MAPPER.writeValueAsString(key)))
                                    .build(),
                            BodyHandlers.ofString());
            assertThat(added.statusCode()).as(added.body()).isEqualTo(201);
        }
    }
}
