package dev.satchel.server.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.http.HttpServer;
import dev.satchel.http.Router;
import dev.satchel.protocol.Json;
import dev.satchel.server.testing.CheckedHttpClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

class OperationsTest {
    private final AtomicBoolean storeIsUp = new AtomicBoolean(true);
    private final CountDownLatch never = new CountDownLatch(1);
    private final HttpClient client = CheckedHttpClient.create();
    private Metrics metrics;
    private HttpServer server;

    @BeforeEach
    void start() throws Exception {
        metrics = new Metrics();
        server = serve(new Dependency("database", () -> {}), new Dependency("store", this::store));
    }

    @AfterEach
    void stop() {
        server.close();
        metrics.close();
        client.close();
    }

    @Test
    void everyDependencyIsNamed() throws Exception {
        HttpResponse<String> ready = get("/readyz");

        assertThat(ready.statusCode()).isEqualTo(200);
        assertThat(ready.body())
                .isEqualTo(
                        """
                        {"status":"ok","dependencies":{"database":"up","store":"up"}}\
                        """);
    }

    @Test
    void anOptionalDependencyThatIsDownLeavesTheServerReadyButDegraded() throws Exception {
        server.close();
        server =
                serve(
                        new Dependency("database", () -> {}),
                        Dependency.optional(
                                "sandbox",
                                () -> {
                                    throw new IOException("no namespaces");
                                }));

        assertThat(get("/readyz").statusCode()).isEqualTo(200);
        assertThat(get("/readyz").body())
                .isEqualTo(
                        """
                        {"status":"degraded","dependencies":{"database":"up","sandbox":"down"}}\
                        """);
        assertThat(get("/health").statusCode()).isEqualTo(200);
        assertThat(get("/health").body()).startsWith("{\"status\":\"degraded\"");
    }

    @Test
    void oneThatIsDownMakesTheServerUnreadyButNotDead() throws Exception {
        storeIsUp.set(false);

        assertThat(get("/readyz").statusCode()).isEqualTo(503);
        assertThat(get("/readyz").body())
                .contains("\"database\":\"up\"", "\"store\":\"down\"")
                .doesNotContain("unplugged");
        assertThat(get("/health").statusCode()).isEqualTo(503);
        assertThat(get("/livez").statusCode()).isEqualTo(200);

        storeIsUp.set(true);
        assertThat(get("/health").body()).startsWith("{\"status\":\"ok\",\"version\":\"1.2.3\"");
    }

    /** Clients of agent servers require every one of these members. */
    @Test
    void healthReportsTheNumberOfActiveRuns() throws Exception {
        JsonNode health = Json.MAPPER.readTree(get("/health").body());

        assertThat(health.get("activeSessions").intValue()).isEqualTo(2);
        assertThat(health.get("activeSandboxes").intValue()).isEqualTo(2);
        assertThat(health.get("uptime").isIntegralNumber()).isTrue();
        assertThat(health.get("pool").propertyNames())
                .containsExactlyInAnyOrder(
                        "total",
                        "cold",
                        "warming",
                        "warm",
                        "waiting",
                        "running",
                        "maxCapacity",
                        "resumeWarmHits",
                        "resumeColdHits",
                        "preWarmHits");
        assertThat(health.get("pool").get("running").intValue()).isEqualTo(2);
    }

    @Test
    void oneThatIsSilentCountsAsDown() throws Exception {
        Readiness impatient =
                new Readiness(
                        List.of(
                                new Dependency("silent", never::await),
                                new Dependency("prompt", () -> {})),
                        Duration.ofMillis(1),
                        Duration.ZERO);

        assertThat(impatient.check().words()).containsEntry("silent", "down");
    }

    @Test
    @Timeout(30)
    void requestsAreCountedByRouteAndNotByPath() throws Exception {
        get("/livez");
        get("/some/unknown/path");

        String page = get("/metrics").body();
        while (!page.contains("unmatched")) { // counted just after the answer is sent
            page = get("/metrics").body();
        }

        assertThat(page)
                .contains("http_server_request_duration_seconds_count{")
                .contains("route=\"/livez\"")
                .contains("route=\"unmatched\"")
                .contains("jvm_memory_used_bytes")
                .doesNotContain("unknown/path");
    }

    @Test
    void madeUpMethodsDoNotMakeNewSeries() throws Exception {
        metrics.answered("BREW", "/x", 405, Duration.ofMillis(1));

        assertThat(metrics.scrape()).contains("method=\"other\"").doesNotContain("BREW");
    }

    private void store() {
        if (!storeIsUp.get()) {
            throw new IllegalStateException("unplugged");
        }
    }

    private HttpServer serve(Dependency... dependencies) throws Exception {
        Router router = new Router();
        Readiness readiness =
                new Readiness(List.of(dependencies), Duration.ofSeconds(30), Duration.ZERO);
        new OperationsRoutes(readiness, metrics, "1.2.3", () -> 2, Clock.systemUTC()).addTo(router);
        return HttpServer.start("127.0.0.1", 0, router, Json.MAPPER, metrics);
    }

    private HttpResponse<String> get(String path) throws Exception {
        URI url = URI.create("http://127.0.0.1:" + server.port() + path);
        return client.send(HttpRequest.newBuilder(url).build(), BodyHandlers.ofString());
    }
}
