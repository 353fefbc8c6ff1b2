package dev.satchel.server.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.http.HttpServer;
import dev.satchel.http.Router;
import dev.satchel.http.connection.TrustedProxies;
import dev.satchel.protocol.Json;
import dev.satchel.server.access.AccessStore;
import dev.satchel.server.access.ApiKeys;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.BrowserLogins;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.CallerCredential;
import dev.satchel.server.access.CredentialUses;
import dev.satchel.server.access.FailedLoginLimiter;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.access.UserId;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.testing.CheckedHttpClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Tools that take long or fail unexpectedly. */
class LongCallTest {
    private static final long PATIENCE_SECONDS = 60;

    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final CountDownLatch interrupted = new CountDownLatch(1);
    private final HttpClient client = CheckedHttpClient.http11();

    private Database database;
    private HttpServer server;
    private String token;

    @BeforeEach
    void start() throws Exception {
        Clock clock = Clock.systemUTC();
        database = TestDatabases.fresh(Dialect.SQLITE);
        ApiKeys keys = new ApiKeys(database, new AccessStore(), clock);
        keys.create(TenantId.DEFAULT, "makes the tenant");
        ConversationId conversation = ConversationId.random();
        database.change(
                tx ->
                        new ConversationStore()
                                .create(
                                        tx,
                                        Caller.owner(TenantId.DEFAULT),
                                        conversation,
                                        null,
                                        null,
                                        clock.millis()));
        McpTokens tokens = new McpTokens(database, clock);
        token =
                tokens.issue(
                                new McpSession(
                                        TenantId.DEFAULT,
                                        UserId.FIRST_OWNER,
                                        conversation,
                                        false,
                                        CallerCredential.SERVER))
                        .token()
                        .value();
        McpTools tools = new McpTools(List.of(new SlowTool(), new BrokenTool()), database, clock);
        Authentication access =
                new Authentication(
                        keys,
                        new BrowserLogins(database, new AccessStore(), clock),
                        new CredentialUses(database, new AccessStore(), clock),
                        new FailedLoginLimiter(clock, TrustedProxies.NONE),
                        () -> URI.create("http://127.0.0.1"));
        Router router = new Router();
        new McpRoutes(tokens, tools, "test", access).addTo(router);
        server = HttpServer.start("127.0.0.1", 0, router, Json.MAPPER, (_, _, _, _) -> {});
    }

    @AfterEach
    void stop() {
        mayEnd.countDown();
        client.shutdownNow();
        server.close();
        database.close();
    }

    @Test
    void aLongCallShowsRisingProgressUntilItEnds() throws Exception {
        HttpResponse<InputStream> response = call("slow");
        try (BufferedReader events =
                new BufferedReader(
                        new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
            long first = next(events).at("/params/progress").longValue();
            long second = next(events).at("/params/progress").longValue();
            mayEnd.countDown();

            assertThat(second).isGreaterThan(first);
            JsonNode last = next(events);
            while (!last.has("id")) {
                last = next(events);
            }
            assertThat(last.at("/result/content/0/text").stringValue()).isEqualTo("slept well");
        }
    }

    @Test
    void aDisconnectCancelsTheCall() throws Exception {
        HttpResponse<InputStream> response = call("slow");
        response.body().close();

        assertThat(interrupted.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void anUnexpectedFailureGivesOnlyAReference() throws Exception {
        String body;
        try (InputStream in = call("broken").body()) {
            body = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }

        assertThat(body)
                .containsPattern("Internal error while executing broken \\(ref: [0-9a-f]{8}\\)")
                .contains("internal_error")
                .doesNotContain("hunter2")
                .doesNotContain("Exception");
    }

    private HttpResponse<InputStream> call(String tool) throws IOException, InterruptedException {
        Map<String, Object> params =
                Map.of("name", tool, "arguments", Map.of(), "_meta", Map.of("progressToken", 1));
        return client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/mcp"))
                        .header("Authorization", "Bearer " + token)
                        .header("Accept", "application/json, text/event-stream")
                        .POST(BodyPublishers.ofString(McpClient.message("tools/call", params)))
                        .build(),
                BodyHandlers.ofInputStream());
    }

    private static JsonNode next(BufferedReader events) throws IOException {
        for (String line = events.readLine(); line != null; line = events.readLine()) {
            if (line.startsWith("data: ")) {
                return Json.MAPPER.readTree(line.substring(6));
            }
        }
        throw new AssertionError("the stream ended early");
    }

    /** Waits for the test or for a disconnect. */
    private final class SlowTool implements McpTool {
        @Override
        public String name() {
            return "slow";
        }

        @Override
        public ObjectNode description() {
            return Json.MAPPER.createObjectNode().put("name", name());
        }

        @Override
        public McpResult call(McpSession session, JsonNode arguments) throws InterruptedException {
            try {
                mayEnd.await();
                return McpResult.text("slept well", List.of());
            } catch (InterruptedException e) {
                interrupted.countDown();
                throw e;
            }
        }
    }

    /** Fails with a message that must not be sent. */
    private static final class BrokenTool implements McpTool {
        @Override
        public String name() {
            return "broken";
        }

        @Override
        public ObjectNode description() {
            return Json.MAPPER.createObjectNode().put("name", name());
        }

        @Override
        public McpResult call(McpSession session, JsonNode arguments) throws IOException {
            throw new IOException("cannot log in with hunter2");
        }
    }
}
