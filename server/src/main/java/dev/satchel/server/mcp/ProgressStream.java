package dev.satchel.server.mcp;

import dev.satchel.http.Exchange;
import dev.satchel.protocol.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The response to one request as events: progress at once and every second, then the result. The
 * progress is the number of seconds that have passed.
 */
final class ProgressStream implements AutoCloseable {
    private final OutputStream out;
    private final JsonNode token;
    private final CountDownLatch answered = new CountDownLatch(1);
    private long seconds;

    ProgressStream(Exchange exchange, JsonNode token) throws IOException {
        this.token = token;
        exchange.header("Cache-Control", "no-cache, no-transform");
        exchange.header("X-Accel-Buffering", "no");
        this.out = exchange.stream(200, "text/event-stream");
        tick();
        Thread.ofVirtual().name("mcp-progress").start(this::tickUntilAnswered);
    }

    synchronized void answer(ObjectNode response) throws IOException {
        answered.countDown();
        send(response);
    }

    @Override
    public synchronized void close() throws IOException {
        answered.countDown();
        out.close();
    }

    private void tickUntilAnswered() {
        try {
            while (!answered.await(1, TimeUnit.SECONDS)) {
                tick();
            }
        } catch (IOException | InterruptedException e) {
            return; // the client disconnected, which ends the call
        }
    }

    private synchronized void tick() throws IOException {
        if (answered.getCount() == 0) {
            return;
        }
        ObjectNode notification = Json.MAPPER.createObjectNode();
        notification.put("jsonrpc", "2.0");
        notification.put("method", "notifications/progress");
        ObjectNode params = notification.putObject("params");
        params.set("progressToken", token);
        params.put("progress", seconds++);
        params.put("message", "working");
        send(notification);
    }

    private void send(ObjectNode message) throws IOException {
        String event = "event: message\ndata: " + Json.MAPPER.writeValueAsString(message) + "\n\n";
        out.write(event.getBytes(StandardCharsets.UTF_8));
    }
}
