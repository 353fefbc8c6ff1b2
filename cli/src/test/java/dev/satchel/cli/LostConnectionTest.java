package dev.satchel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.satchel.cli.SatchelProcess.Outcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LostConnectionTest {
    private static final String BEGUN =
            "id: r1:1\ndata: {\"type\":\"chat\",\"chatId\":\"c\",\"messageId\":\"m\",\"runId\":\"r1\"}\n\n";
    private static final String REST =
            "id: r1:2\ndata: {\"type\":\"result\",\"message\":\"hi\",\"files\":[]}\n\n"
                    + "id: r1:3\ndata: {\"type\":\"end\",\"status\":\"succeeded\"}\n\n";

    private final List<String> keys = Collections.synchronizedList(new ArrayList<>());

    @Test
    void aLostConnectionIsReportedAndTheAnswerStillArrives() throws Exception {
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/api/assistant/chat/stream", exchange -> tell(exchange, BEGUN));
        server.createContext("/api/runs/r1/events", exchange -> tell(exchange, REST));
        server.start();
        try {
            String url = "http://127.0.0.1:" + server.getAddress().getPort();
            Outcome outcome =
                    SatchelProcess.finish(
                            new ProcessBuilder(
                                            SatchelProcess.java(
                                                    "dev.satchel.cli.Main",
                                                    "send",
                                                    "hello",
                                                    "--url",
                                                    url,
                                                    "--key",
                                                    "k"))
                                    .start());

            assertThat(outcome.code()).as(outcome.err()).isEqualTo(0);
            assertThat(outcome.out()).isEqualTo("hi\n");
            assertThat(outcome.err()).containsOnlyOnce("The connection is lost; connecting again.");
            assertThat(keys).hasSize(1).doesNotContainNull();
        } finally {
            server.stop(0);
        }
    }

    private void tell(HttpExchange exchange, String events) throws IOException {
        if (exchange.getRequestMethod().equals("POST")) {
            keys.add(exchange.getRequestHeaders().getFirst("Idempotency-Key"));
        }
        exchange.getResponseHeaders().add("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        exchange.getResponseBody().write(events.getBytes(StandardCharsets.UTF_8));
        exchange.close();
    }
}
