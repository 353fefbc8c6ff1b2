package dev.satchel.torture.harness;

import dev.satchel.http.Exchange;
import dev.satchel.http.HttpServer;
import dev.satchel.http.Router;
import dev.satchel.protocol.Dispatch;
import dev.satchel.protocol.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * A runner that prints. A message with a number gets so many steps of 60 KB each before its answer;
 * any other message gets only the answer.
 */
public final class PrintingRunner implements AutoCloseable {
    private static final String RESULT = "x".repeat(60 * 1024);

    private final HttpServer server;

    public PrintingRunner() throws IOException, InterruptedException {
        Router router = new Router().post("/stream", PrintingRunner::stream);
        server = HttpServer.start("127.0.0.1", 0, router, Json.MAPPER, (_, _, _, _) -> {});
    }

    public URI url() {
        return URI.create("http://127.0.0.1:" + server.port());
    }

    @Override
    public void close() {
        server.close();
    }

    private static void stream(Exchange exchange) throws IOException {
        String message = exchange.readLenientJson(Dispatch.class).prompt();
        int steps = message.matches("[0-9]{1,6}") ? Integer.parseInt(message) : 0;
        try (OutputStream out = exchange.lines()) {
            for (int i = 0; i < steps; i++) {
                String id = "s" + i;
                write(out, Map.of("type", "step", "id", id, "name", "print", "status", "running"));
                write(
                        out,
                        Map.of(
                                "type",
                                "step",
                                "id",
                                id,
                                "name",
                                "print",
                                "status",
                                "succeeded",
                                "result",
                                RESULT));
            }
            write(out, Map.of("type", "result", "message", "printed " + steps));
        }
    }

    private static void write(OutputStream out, Map<String, String> line) throws IOException {
        out.write((Json.MAPPER.writeValueAsString(line) + "\n").getBytes(StandardCharsets.UTF_8));
    }
}
