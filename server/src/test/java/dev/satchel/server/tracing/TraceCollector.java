package dev.satchel.server.tracing;

import dev.satchel.http.Exchange;
import dev.satchel.http.HttpServer;
import dev.satchel.http.Router;
import dev.satchel.protocol.Json;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/** Receives spans by OTLP over HTTP, as a collector does. */
final class TraceCollector implements AutoCloseable {
    private static final long TIMEOUT_SECONDS = 30;

    /** One request: its header {@code Authorization} and its body. */
    record Delivery(Optional<String> authorization, JsonNode body) {}

    private final BlockingQueue<Delivery> deliveries = new LinkedBlockingQueue<>();
    private final HttpServer server;
    private boolean closed;

    TraceCollector() throws IOException, InterruptedException {
        Router router = new Router().post("/v1/traces", this::receive);
        server = HttpServer.start("127.0.0.1", 0, router, Json.MAPPER, (_, _, _, _) -> {});
    }

    TracingSettings settings() {
        return new TracingSettings(
                URI.create("http://127.0.0.1:" + server.port() + "/v1/traces"),
                Map.of("Authorization", "Bearer of-the-collector"),
                "satchel-test",
                1_000);
    }

    private void receive(Exchange exchange) throws IOException, InterruptedException {
        JsonNode body = exchange.readLenientJson(JsonNode.class);
        deliveries.add(new Delivery(exchange.header("Authorization"), body));
        exchange.json(200, Map.of());
    }

    Delivery next() throws InterruptedException {
        Delivery delivery = deliveries.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        if (delivery == null) {
            throw new AssertionError("no spans have arrived");
        }
        return delivery;
    }

    /** All spans, until the wanted one is among them. */
    List<JsonNode> until(Predicate<JsonNode> wanted) throws InterruptedException {
        List<JsonNode> spans = new ArrayList<>();
        while (spans.stream().noneMatch(wanted)) {
            for (JsonNode resource : next().body().get("resourceSpans")) {
                for (JsonNode scope : resource.get("scopeSpans")) {
                    scope.get("spans").forEach(spans::add);
                }
            }
        }
        return spans;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            server.close();
        }
    }
}
