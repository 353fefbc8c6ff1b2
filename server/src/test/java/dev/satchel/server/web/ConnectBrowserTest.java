package dev.satchel.server.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import dev.satchel.protocol.Json;
import dev.satchel.server.testing.AuthorizationServer;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A person logs in at a service for a credential and comes back to the page. */
class ConnectBrowserTest {
    @Test
    void theLoginIsFinishedAndTheCodeDoesNotStayInTheAddress(@TempDir Path data) throws Exception {
        try (AuthorizationServer service = new AuthorizationServer();
                TestServer server =
                        TestServer.start(
                                TestConfiguration.withPrivateHosts(
                                        TestServer.configuration(data, null, null), "127.0.0.1"),
                                Clock.systemUTC());
                Visitor ada = Visitor.of(server)) {
            server.post(
                    "/api/credentials",
                    Map.of("name", "tracker", "oauth", Map.of("resource", service.url("/mcp"))));
            String login =
                    Json.MAPPER
                            .readTree(
                                    server.post("/api/credentials/tracker/authorization", Map.of())
                                            .body())
                            .get("authorizationUrl")
                            .stringValue();

            ada.open("/settings");
            ada.page().navigate(login);

            ada.button("Connect tracker").click(); // another program has begun it
            Locator status = ada.page().locator("main [role=status]");
            assertThat(status).hasText("tracker is connected. Agents can use it now.");
            assertThat(ada.page().url()).endsWith("/connect");
            assertThat(server.getJson("/api/credentials").at("/credentials/0").has("problem"))
                    .isFalse();

            ada.open("/connect?error=access_denied&error_description=You+said+no.");
            assertThat(status).hasText("Not connected: You said no.");
        }
    }
}
