package dev.satchel.server.user.oidc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** Who the people of a provider are here, and what they may do. */
class OidcPeopleTest {
    private static final String NO_ROLE = "Your account has no role here.";

    private OidcTestProvider provider;
    private @Nullable TestServer server;

    @BeforeEach
    void start() throws Exception {
        provider = new OidcTestProvider(Clock.systemUTC());
    }

    @AfterEach
    void stop() {
        if (server != null) {
            server.close();
        }
        provider.close();
    }

    @Test
    void personWhomNothingAdmitsIsRefusedAndAudited() throws Exception {
        serve(null, List.of());
        provider.person(person("ada", "ada@example.org", true));

        refused("Ask an owner to invite you");

        assertThat(server().getJson("/api/users").get("users").size()).isEqualTo(1);
        assertThat(server().getJson("/api/audit").toString())
                .contains("\"outcome\":\"denied\"", "not_invited");
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void invitedPersonSignsInWithTheInvitedAddress(Dialect dialect) throws Exception {
        serve(dialect, null, List.of());
        JsonNode invitation = invite("Ada", "Ada@Example.org", "viewer");
        provider.person(person("ada", "ada@example.org", true));

        try (SignInBrowser browser = signedIn()) {
            JsonNode me = me(browser);
            assertThat(me.get("userId")).isEqualTo(invitation.at("/user/id"));
            assertThat(me.get("role").stringValue()).isEqualTo("viewer");
            URI link = URI.create(invitation.get("url").stringValue());
            try (SignInBrowser other = new SignInBrowser(server().url("/"))) {
                assertThat(other.get(link).statusCode()).isEqualTo(401);
            }
        }
        provider.person(person("ada", "other@example.org", false)); // the subject is the same
        try (SignInBrowser browser = signedIn()) {
            assertThat(me(browser).get("userId")).isEqualTo(invitation.at("/user/id"));
        }
    }

    @Test
    void addressThatIsNotVerifiedFindsNoInvitation() throws Exception {
        serve(null, List.of());
        JsonNode _ = invite("Ada", "ada@example.org", "owner");
        provider.person(person("mallory", "ada@example.org", false));

        refused("Ask an owner to invite you");
    }

    @Test
    void addressOfAPersonWithoutAnOpenInvitationFindsNobody() throws Exception {
        serve(null, List.of("example.org"));
        JsonNode invitation = invite("Ada", "ada@example.org", "owner");
        try (SignInBrowser ada = new SignInBrowser(server().url("/"))) {
            URI link = URI.create(invitation.get("url").stringValue());
            assertThat(ada.get(link).statusCode()).isEqualTo(200); // uses the link
        }
        provider.person(person("mallory", "ada@example.org", true));

        refused("Another person here has your e-mail address.");
    }

    @Test
    void anotherSubjectWithTheSameAddressIsAnotherPerson() throws Exception {
        serve(null, List.of("example.org"));
        provider.person(person("ada", "ada@example.org", true));
        signedIn().close();
        provider.person(person("next-ada", "ada@example.org", true));

        refused("Another person here has your e-mail address.");
    }

    @Test
    void verifiedAddressOfAnAllowedDomainIsAMember() throws Exception {
        serve(null, List.of("Example.ORG"));
        for (Map<String, Object> other :
                List.of(
                        person("eve", "eve@example.org", false),
                        person("eve", "eve@sub.example.org", true),
                        person("eve", "eve@example.org.evil.example", true),
                        person("eve", "eve@evilexample.org", true))) {
            provider.person(other);
            refused("no verified e-mail address of an allowed domain");
        }
        provider.person(person("ada", "ada@EXAMPLE.org", true));

        try (SignInBrowser browser = signedIn()) {
            assertThat(me(browser).get("role").stringValue()).isEqualTo("member");
        }
    }

    @Test
    void roleIsFollowedAtEachSignInAndHeldForOpenSessions() throws Exception {
        serve("resource_access.satchel.roles", List.of());
        provider.person(withRoles("other", "viewer", "owner"));
        SignInBrowser first = signedIn();
        assertThat(first.get("/api/users").statusCode()).isEqualTo(200);
        provider.person(withRoles("viewer"));

        signedIn().close();

        assertThat(me(first).get("role").stringValue()).isEqualTo("viewer");
        assertThat(first.get("/api/users").statusCode()).isEqualTo(403);
        first.close();
        provider.person(withRoles("administrator"));
        refused(NO_ROLE);
        provider.person(Map.of("sub", "ada"));
        refused(NO_ROLE);
    }

    @Test
    void lastOwnerStaysOneWhateverTheProviderSays() throws Exception {
        serve("resource_access.satchel.roles", List.of());
        provider.person(withRoles("owner"));
        signedIn().close();
        assertThat(server().sendAs(TestServer.KEY, "DELETE", "/api/users/owner").statusCode())
                .isEqualTo(204);
        provider.person(withRoles("viewer"));

        try (SignInBrowser browser = signedIn()) {
            assertThat(me(browser).get("role").stringValue()).isEqualTo("owner");
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void removedPersonComesBackByAnInvitationOnly(Dialect dialect) throws Exception {
        serve(dialect, null, List.of("example.org"));
        provider.person(person("ada", "ada@example.org", true));
        SignInBrowser browser = signedIn();
        String id = me(browser).get("userId").stringValue();
        assertThat(server().sendAs(TestServer.KEY, "DELETE", "/api/users/" + id).statusCode())
                .isEqualTo(204);

        assertThat(browser.get("/api/me").statusCode()).isEqualTo(401);
        refused("An owner has removed your account.");

        JsonNode invitation = invite("Ada", "ada@example.org", "member");
        signedIn().close();
        assertThat(invitation.at("/user/id").stringValue()).isNotEqualTo(id);
        browser.close();
    }

    @Test
    void sessionSaysWhereItComesFromAndSetsNoPassword() throws Exception {
        serve(null, List.of("example.org"));
        provider.person(person("ada", "ada@example.org", true));

        try (SignInBrowser browser = signedIn()) {
            assertThat(browser.get("/api/login-sessions").body()).contains("\"openedBy\":\"oidc\"");
            HttpResponse<String> refused =
                    browser.post("/login/password", "password=a+long+password");
            assertThat(refused.statusCode()).isEqualTo(403);
            assertThat(refused.body()).contains("you sign in at a provider");
            assertThat(server().getJson("/api/audit").toString())
                    .contains("\"action\":\"sign_in\"", "\"event\":\"joined\"");
        }
    }

    @Test
    void signOutGoesOnAtTheProvider() throws Exception {
        serve(null, List.of("example.org"));
        provider.person(person("ada", "ada@example.org", true));

        try (SignInBrowser browser = signedIn()) {
            HttpResponse<String> out = browser.post("/logout", "");

            assertThat(out.statusCode()).isEqualTo(200);
            assertThat(Json.MAPPER.readTree(out.body()).get("url").stringValue())
                    .startsWith(provider.issuer() + "/end?id_token_hint=ey")
                    .contains("client_id=satchel", "post_logout_redirect_uri=http");
            assertThat(browser.get("/api/me").statusCode()).isEqualTo(401);
            assertThat(browser.post("/logout", "").statusCode()).isEqualTo(204);
        }
    }

    @Test
    void linkOnAnotherSiteShowsTheFormWithTheButtonOnly() throws Exception {
        serve(null, List.of());
        HttpResponse<String> page =
                server().send(
                                server().request("/login/oidc?return=/chats/1")
                                        .header("Sec-Fetch-Site", "cross-site")
                                        .build());

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body())
                .contains("href=\"/login/oidc?return=%2Fchats%2F1\">Sign in with A &amp; B</a>");
        assertThat(server().get("/login?workspace=acme").body()).doesNotContain("/login/oidc");
    }

    private void serve(@Nullable String roleClaim, List<String> domains) throws Exception {
        serve(Dialect.SQLITE, roleClaim, domains);
    }

    private void serve(Dialect dialect, @Nullable String roleClaim, List<String> domains)
            throws Exception {
        OidcSettings settings =
                new OidcSettings(
                        provider.issuer(),
                        OidcTestProvider.CLIENT,
                        OidcTestProvider.SECRET,
                        roleClaim,
                        domains,
                        "A & B");
        URI database = dialect == Dialect.POSTGRESQL ? TestDatabases.freshPostgresql() : null;
        server =
                TestServer.start(
                        TestConfiguration.withOidc(
                                TestServer.configuration(
                                        Files.createTempDirectory("satchel-test-"), database, null),
                                settings),
                        Clock.systemUTC());
    }

    private TestServer server() {
        TestServer started = server;
        if (started == null) {
            throw new IllegalStateException("not started");
        }
        return started;
    }

    private SignInBrowser signedIn() throws IOException, InterruptedException {
        SignInBrowser browser = new SignInBrowser(server().url("/"));
        HttpResponse<String> page = browser.signIn();
        assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
        assertThat(browser.isSignedIn()).isTrue();
        return browser;
    }

    private void refused(String reason) throws IOException, InterruptedException {
        try (SignInBrowser browser = new SignInBrowser(server().url("/"))) {
            HttpResponse<String> page = browser.signIn();
            assertThat(page.statusCode()).isEqualTo(401);
            assertThat(page.body()).contains("You are not signed in", reason);
            assertThat(browser.isSignedIn()).isFalse();
        }
    }

    private static JsonNode me(SignInBrowser browser) throws IOException, InterruptedException {
        return Json.MAPPER.readTree(browser.get("/api/me").body());
    }

    private JsonNode invite(String name, String email, String role) throws Exception {
        HttpResponse<String> invited =
                server().post("/api/users", Map.of("name", name, "email", email, "role", role));
        assertThat(invited.statusCode()).isEqualTo(201);
        return Json.MAPPER.readTree(invited.body());
    }

    private static Map<String, Object> person(String subject, String email, boolean isVerified) {
        return Map.of(
                "sub", subject, "email", email, "email_verified", isVerified, "name", "Ada L");
    }

    private static Map<String, Object> withRoles(String... roles) {
        return Map.of(
                "sub",
                "ada",
                "resource_access",
                Map.of("satchel", Map.of("roles", List.of(roles))));
    }
}
