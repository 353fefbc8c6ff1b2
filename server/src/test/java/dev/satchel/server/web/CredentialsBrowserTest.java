package dev.satchel.server.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.satchel.protocol.Json;
import dev.satchel.server.access.MovableClock;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.credential.CredentialName;
import dev.satchel.server.credential.CredentialService;
import dev.satchel.server.credential.TestCredentials;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Databases;
import dev.satchel.server.testing.AuthorizationServer;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A person stores, connects, replaces and deletes credentials on the page. */
class CredentialsBrowserTest {
    private static final String PAGE = "/credentials";
    private static final String SECRET = "glpat-4711-very-secret";

    @TempDir private Path data;
    private final MovableClock clock = new MovableClock();
    private AuthorizationServer service;
    private TestServer server;

    @BeforeEach
    void start() throws Exception {
        service = new AuthorizationServer();
        server =
                TestServer.start(
                        TestConfiguration.withPrivateHosts(
                                TestServer.configuration(data, null, null), "127.0.0.1"),
                        clock);
    }

    @AfterEach
    void stop() {
        server.close();
        service.close();
    }

    @Test
    void aValueIsStoredReplacedAndDeletedAndNeverShown() throws Exception {
        try (Visitor ada = Visitor.of(server)) {
            ada.open("/agents");
            ada.page().getByRole(AriaRole.LINK, named("Credentials")).click();
            ada.button("New credential").click();
            ada.page().locator("input[name=name]").fill("Git Hub");
            assertThat(ada.page().locator("input[name=value]")).hasAttribute("type", "password");
            ada.page().locator("input[name=value]").fill(SECRET);
            ada.button("Save").click();
            assertThat(ada.page().getByRole(AriaRole.ALERT)).containsText("name");
            assertThat(ada.page().locator("input[name=name]")).hasAttribute("aria-invalid", "true");
            ada.page().locator("input[name=name]").fill("github");
            ada.button("Save").click();

            Locator card = card(ada, "github");
            assertThat(card).containsText("Stored");
            assertThat(card).containsText("no agent");
            assertForgotten(ada);

            useInAgent("github");
            card.getByText("Replace value").click();
            ada.page().locator("input[name=value]").fill(SECRET + "-2");
            ada.button("Replace").click();
            assertThat(card).containsText("maintainer");
            assertForgotten(ada);

            card.getByText("Delete").click();
            Locator question = ada.page().getByRole(AriaRole.DIALOG);
            assertThat(question).containsText("maintainer uses it");
            ada.button("Keep").click();
            assertThat(card).isVisible();
            card.getByText("Delete").click();
            question.getByText("Delete", exactly()).click();
            assertThat(ada.text("No credentials yet.")).isVisible();
            assertThat(server.getJson("/api/credentials").get("credentials").isEmpty()).isTrue();
        }
    }

    @Test
    void aPersonLogsInAndLogsInAgainWhenTheServiceHasWithdrawnTheAccess() throws Exception {
        try (Visitor ada = Visitor.of(server);
                Database database = Databases.sqlite(data.resolve("satchel.db"))) {
            ada.open(PAGE);
            ada.button("New credential").click();
            ada.page().locator("input[name=name]").fill("tracker");
            ada.page().getByText("A login (OAuth)").click();
            ada.page().locator("input[name=resource]").fill("ftp://tracker.test");
            ada.button("Save and log in").click();
            assertThat(ada.page().getByRole(AriaRole.ALERT))
                    .hasText("oauth.resource must be an http or https address");
            ada.page().locator("input[name=resource]").fill(service.url("/mcp"));
            ada.button("Save and log in").click();

            Locator status = ada.page().locator("main [role=status]");
            assertThat(status).hasText("tracker is connected. Agents can use it now.");
            assertThat(ada.page().url()).endsWith("/connect");
            ada.page().getByText("All credentials").click();
            Locator card = card(ada, "tracker");
            assertThat(card).containsText("Connected");
            assertThat(card).containsText("Access ends");

            withdraw(database);
            ada.open(PAGE);
            assertThat(card).containsText("Failed");
            assertThat(card).containsText("used or withdrawn");
            card.getByText("Log in again").click();
            assertThat(status).hasText("tracker is connected. Agents can use it now.");
            ada.page().getByText("All credentials").click();
            assertThat(card).containsText("Connected");
            assertThat(ada.page().content()).doesNotContain("access-").doesNotContain("refresh-");
        }
    }

    @Test
    void aLoginThatWasNotBegunInTheTabNeedsTheConsentOfThePerson() throws Exception {
        create();
        try (Visitor ada = Visitor.of(server)) {
            ada.open(PAGE);
            ada.page().navigate(begin());
            Locator status = ada.page().locator("main [role=status]");
            assertThat(status).containsText("tracker was not begun in this tab");
            ada.button("Do not connect").click();
            assertThat(status).hasText("Not connected: you refused it.");
            assertThat(server.getJson("/api/credentials").at("/credentials/0").has("problem"))
                    .isTrue();

            ada.page().navigate(begin());
            ada.button("Connect tracker").click();
            assertThat(status).hasText("tracker is connected. Agents can use it now.");
        }
    }

    @Test
    void aBrowserWithoutASessionShowsTheAddressForTheTerminal() throws Exception {
        create();
        String login = begin();
        try (Visitor stranger = Visitor.of(server)) {
            stranger.context().clearCookies();
            stranger.page().navigate(login);

            Locator address = stranger.page().getByLabel("Address for the terminal");
            assertThat(address).hasValue(Pattern.compile(".*/connect\\?code=.*"));
            assertThat(stranger.page().url()).endsWith("/connect");
            assertThat(server.getJson("/api/credentials").at("/credentials/0").has("problem"))
                    .isTrue();
        }
    }

    @Test
    void aPhoneShowsEverythingWithoutSidewaysScroll() throws Exception {
        create();
        server.post("/api/credentials", Map.of("name", "a".repeat(60), "value", "x"));
        Browser.NewContextOptions phone = new Browser.NewContextOptions().setViewportSize(360, 740);
        try (Visitor ada = Visitor.at(server, server.url(""), phone)) {
            ada.open(PAGE);
            assertThat(card(ada, "tracker")).containsText("Needs login");
            assertThat(sideways(ada)).isEqualTo(0);
            ada.button("New credential").click();
            ada.page().getByText("A login (OAuth)").click();
            ada.page().getByText("does not describe").click();
            ada.page().getByLabel("Scopes").fill("read");
            assertThat(sideways(ada)).isEqualTo(0);
        }
    }

    private static Object sideways(Visitor ada) {
        return ada.page()
                .evaluate(
                        "document.scrollingElement.scrollWidth -"
                                + " document.scrollingElement.clientWidth");
    }

    private void create() throws Exception {
        server.post(
                "/api/credentials",
                Map.of("name", "tracker", "oauth", Map.of("resource", service.url("/mcp"))));
    }

    private String begin() throws Exception {
        return Json.MAPPER
                .readTree(server.post("/api/credentials/tracker/authorization", Map.of()).body())
                .get("authorizationUrl")
                .stringValue();
    }

    private void useInAgent(String credential) throws Exception {
        Map<String, String> github =
                Map.of("type", "http", "url", "https://git.test/mcp", "credential", credential);
        server.post(
                "/api/agents", Map.of("name", "maintainer", "mcpServers", Map.of("git", github)));
    }

    /** A run would find out that the token cannot be renewed. */
    private void withdraw(Database database) {
        service.revoke();
        clock.advance(Duration.ofMinutes(2));
        CredentialService credentials = TestCredentials.service(database, data, clock);
        assertThatThrownBy(() -> credentials.value(TenantId.DEFAULT, new CredentialName("tracker")))
                .hasMessageContaining("withdrawn");
    }

    private static void assertForgotten(Visitor ada) {
        assertThat(ada.page().getByRole(AriaRole.DIALOG)).hasCount(0);
        assertThat(ada.page().content()).doesNotContain(SECRET);
        assertThat(ada.page().url()).doesNotContain(SECRET);
        assertThat(
                        ada.page()
                                .evaluate(
                                        "JSON.stringify([{...localStorage}, {...sessionStorage},"
                                                + " history.state, [...document.querySelectorAll("
                                                + "'input')].map(input => input.value)])"))
                .asString()
                .doesNotContain(SECRET);
    }

    private static Locator card(Visitor ada, String name) {
        return ada.page().locator("section.card[aria-label='" + name + "']");
    }

    private static Page.GetByRoleOptions named(String name) {
        return new Page.GetByRoleOptions().setName(name).setExact(true);
    }

    private static Locator.GetByTextOptions exactly() {
        return new Locator.GetByTextOptions().setExact(true);
    }
}
