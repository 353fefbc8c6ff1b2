package dev.satchel.server.credential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.protocol.Json;
import dev.satchel.server.access.MovableClock;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Databases;
import dev.satchel.server.testing.AuthorizationServer;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Credentials that a person obtains by logging in at another service. */
class OAuthCredentialTest {
    private static final String ALL = "/api/credentials";
    private static final CredentialName NAME = new CredentialName("tracker");

    @TempDir Path data;
    private final MovableClock clock = new MovableClock();
    private AuthorizationServer service;
    private TestServer server;
    private Database database;
    private CredentialService credentials;

    @BeforeEach
    void start() throws Exception {
        service = new AuthorizationServer();
        server = TestServer.start(configuration("127.0.0.1"), clock);
        database = Databases.sqlite(data.resolve("satchel.db"));
        SealingKeys keys = SealingKeys.of(SealingKeyFile.in(data));
        credentials = TestCredentials.service(database, keys, clock);
    }

    @AfterEach
    void stop() {
        database.close();
        server.close();
        service.close();
    }

    @Test
    void aServiceIsFoundAndRegisteredAtAndThePersonLogsIn() throws Exception {
        JsonNode created = json(create());
        assertThat(created.get("problem").stringValue()).contains("log in");

        String address = connect(Map.of());
        assertThat(address)
                .startsWith(service.url("/authorize?"))
                .contains("code_challenge_method=S256", "scope=read+write", "%2Fconnect");
        JsonNode connected = json(finish(service.logIn(address)));

        assertThat(connected.has("problem")).isFalse();
        assertThat(connected.get("expiresAt").longValue()).isEqualTo(clock.millis() + 60_000);
        assertThat(value()).startsWith("access-");
        assertThat(server.get(ALL).body()).doesNotContain("access-").doesNotContain("refresh-");
    }

    @Test
    void aTokenOfOneMinuteIsUsedForAnHour() throws Exception {
        connected();
        String before = value();
        for (int minute = 0; minute < 60; minute++) {
            clock.advance(Duration.ofMinutes(1));
            String now = value();
            assertThat(now).startsWith("access-").isNotEqualTo(before);
            assertThat(value()).isEqualTo(now);
            before = now;
        }
        assertThat(service.refreshes()).isEqualTo(60);
    }

    @Test
    void ofManyRequestsOneRenewsTheToken() throws Exception {
        connected();
        clock.advance(Duration.ofMinutes(2));

        List<Callable<String>> calls =
                Stream.<Callable<String>>generate(() -> this::value).limit(16).toList();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<String>> values = threads.invokeAll(calls);
            String first = values.getFirst().get();
            for (Future<String> value : values) {
                assertThat(value.get()).isEqualTo(first);
            }
        }
        assertThat(service.refreshes()).isEqualTo(1);
    }

    @Test
    void aWithdrawnGrantSaysThatAPersonHasToLogInAgain() throws Exception {
        connected();
        service.revoke();
        clock.advance(Duration.ofMinutes(2));

        assertThatThrownBy(this::value).hasMessageContaining("used or withdrawn");
        assertThatThrownBy(this::value).hasMessageContaining("used or withdrawn");
        assertThat(service.refreshes()).isEqualTo(1);
        assertThat(server.getJson(ALL).at("/credentials/0/problem").stringValue())
                .contains("used or withdrawn");

        finish(service.logIn(connect(Map.of())));
        assertThat(value()).startsWith("access-");
    }

    @Test
    void aServiceThatIsAwayLeavesTheTokenAsItIs() throws Exception {
        connected();
        String before = value();
        service.available(false);
        clock.advance(Duration.ofSeconds(45));
        assertThat(value()).isEqualTo(before);
        clock.advance(Duration.ofSeconds(45));
        assertThatThrownBy(this::value).hasMessageContaining("cannot be renewed now");

        service.available(true);
        assertThat(value()).startsWith("access-").isNotEqualTo(before);
    }

    @Test
    void aProgramOnTheComputerOfThePersonMayReceiveTheCodeButNoOtherAddress() throws Exception {
        create();
        String here = "http://127.0.0.1:43210/callback";

        Map<String, String> login = service.logIn(connect(Map.of("redirectUri", here)));
        assertThat(finish(login).statusCode()).isEqualTo(200);
        for (String elsewhere : List.of("https://evil.test/", "http://127.0.0.1.evil.test:1/")) {
            assertThat(
                            server.post(
                                            ALL + "/tracker/authorization",
                                            Map.of("redirectUri", elsewhere))
                                    .statusCode())
                    .isEqualTo(400);
        }
    }

    @Test
    void aStateIsOfItsTenantAndEnds() throws Exception {
        create();
        Map<String, String> login = service.logIn(connect(Map.of()));
        String stranger = server.keyOf("other");
        HttpResponse<String> foreign =
                server.send(
                        server.request(ALL + "/authorizations")
                                .setHeader("Authorization", "Bearer " + stranger)
                                .POST(
                                        BodyPublishers.ofString(
                                                Json.MAPPER.writeValueAsString(login)))
                                .build());

        assertThat(foreign.statusCode()).isEqualTo(400);
        assertThat(finish(Map.of("code", "c", "state", "rubbish")).statusCode()).isEqualTo(400);
        assertThat(finish(Map.of("code", "wrong", "state", login.get("state"))).statusCode())
                .isEqualTo(422);
        clock.advance(Duration.ofMinutes(16));
        assertThat(finish(login).statusCode()).isEqualTo(400);
    }

    @Test
    void aLoginIsFinishedOnceAndOnlyTheNewest() throws Exception {
        create();
        Map<String, String> first = service.logIn(connect(Map.of()));
        Map<String, String> second = service.logIn(connect(Map.of()));

        assertThat(finish(first).statusCode()).isEqualTo(400);
        String misnamed = second.get("state") + "x";
        assertThat(finish(Map.of("code", "c", "state", misnamed)).statusCode()).isEqualTo(400);
        clock.advance(Duration.ofSeconds(5));
        JsonNode connected = json(finish(second));
        assertThat(connected.get("connectedAt").longValue()).isEqualTo(clock.millis());
        String foreign = service.logIn(connect(Map.of())).getOrDefault("code", "");
        Map<String, String> again = Map.of("code", foreign, "state", second.get("state"));
        assertThat(finish(again).statusCode()).isEqualTo(400);
    }

    @Test
    void aLoginThatNobodyFinishesLeavesTheAccess() throws Exception {
        connected();
        connect(Map.of("redirectUri", "http://127.0.0.1:43210/callback"));
        clock.advance(Duration.ofMinutes(2));

        assertThat(value()).startsWith("access-");
        assertThat(service.clientOfLastToken()).isEqualTo("client-1");
    }

    @Test
    void theListNamesTheAgentsThatUseACredential() throws Exception {
        create();
        String url = service.url("/mcp");
        Map<String, ?> named = Map.of("type", "http", "url", url, "credential", "tracker");
        Map<String, ?> inHeader =
                Map.of("type", "http", "url", url, "headers", Map.of("X-Key", "secret:tracker"));
        server.post("/api/agents", Map.of("name", "a", "mcpServers", Map.of("t", named)));
        server.post("/api/agents", Map.of("name", "b", "mcpServers", Map.of("t", inHeader)));
        server.post("/api/agents", Map.of("name", "c"));

        assertThat(server.getJson(ALL).at("/credentials/0/agents").toString())
                .isEqualTo("[\"a\",\"b\"]");
    }

    @Test
    void privateAddressesAreOnlyForTheOperator() throws Exception {
        Path other = data.resolve("other");
        try (TestServer strict =
                TestServer.start(TestServer.configuration(other, null, null), clock)) {
            HttpResponse<String> refused = strict.post(ALL, body());

            assertThat(refused.statusCode()).isEqualTo(400);
            assertThat(refused.body()).contains("oauth");
        }
    }

    @Test
    void incompleteSettingsAreRefused() throws Exception {
        for (Map<String, Object> oauth :
                List.<Map<String, Object>>of(
                        Map.of(),
                        Map.of("resource", "ftp://a.test"),
                        Map.of("resource", "not a url"),
                        Map.of("authorizationUrl", "https://a.test/x"),
                        Map.of("resource", service.url("/nothing-here")),
                        Map.of("resource", service.url("/mcp"), "scopes", List.of("a b")))) {
            HttpResponse<String> refused =
                    server.post(ALL, Map.of("name", "tracker", "oauth", oauth));
            assertThat(refused.statusCode()).as(oauth.toString()).isEqualTo(400);
        }
    }

    private Configuration configuration(String hosts) {
        return TestConfiguration.withPrivateHosts(
                TestServer.configuration(data, null, null), hosts);
    }

    private void connected() throws Exception {
        create();
        assertThat(finish(service.logIn(connect(Map.of()))).statusCode()).isEqualTo(200);
    }

    private Map<String, Object> body() {
        return Map.of("name", NAME.value(), "oauth", Map.of("resource", service.url("/mcp")));
    }

    private HttpResponse<String> create() throws Exception {
        HttpResponse<String> created = server.post(ALL, body());
        assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
        return created;
    }

    private String connect(Map<String, String> request) throws Exception {
        HttpResponse<String> answer = server.post(ALL + "/tracker/authorization", request);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return json(answer).get("authorizationUrl").stringValue();
    }

    private HttpResponse<String> finish(Map<String, String> login) throws Exception {
        return server.post(ALL + "/authorizations", login);
    }

    private String value() throws InterruptedException {
        return credentials.value(TenantId.DEFAULT, NAME).value();
    }

    private static JsonNode json(HttpResponse<String> response) {
        return Json.MAPPER.readTree(response.body());
    }
}
