package dev.satchel.server.node;

import dev.satchel.http.Exchange;
import dev.satchel.http.HttpServer;
import dev.satchel.http.Router;
import dev.satchel.protocol.Dispatch;
import dev.satchel.protocol.Json;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.SandboxCalls;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A runner that says numbered lines at a steady pace, hands one file in and answers. */
final class ChattySandbox implements AutoCloseable {
    static final int LINES = 40;
    private static final Duration PACE = Duration.ofMillis(40);

    /** What the file of a run must be, by the run, once a server has said that it took it. */
    private final Map<String, String> taken = new ConcurrentHashMap<>();

    private final SandboxCalls calls = new SandboxCalls();
    private final HttpServer server;

    ChattySandbox() throws IOException, InterruptedException {
        Router router = new Router().post("/stream", this::stream);
        server = HttpServer.start("127.0.0.1", 0, router, Json.MAPPER, (_, _, _, _) -> {});
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + server.port());
    }

    Map<String, String> taken() {
        return Map.copyOf(taken);
    }

    static String line(int number) {
        return "{\"type\":\"step\",\"id\":\"s%d\",\"name\":\"n\",\"status\":\"running\",\"ts\":1}"
                .formatted(number);
    }

    @Override
    public void close() {
        server.close();
        calls.close();
    }

    private void stream(Exchange exchange) throws IOException, InterruptedException {
        Dispatch dispatch = exchange.readLenientJson(Dispatch.class);
        Thread running = Thread.currentThread();
        exchange.onDisconnect(running::interrupt);
        try (OutputStream out = exchange.lines()) {
            for (int number = 1; number <= LINES; number++) {
                say(out, line(number));
                Thread.sleep(PACE); // the pace of the load, nothing waits for it
            }
            handIn(dispatch);
            say(out, "{\"type\":\"result\",\"message\":\"done\"}");
        }
    }

    private void handIn(Dispatch dispatch) throws IOException, InterruptedException {
        String name = "out-" + dispatch.sessionId() + ".txt";
        HttpResponse<String> answer =
                calls.handIn(dispatch, new MultipartBody().file(name, dispatch.sessionId()));
        if (answer.statusCode() == 200) {
            taken.put(dispatch.sessionId(), name);
        }
    }

    private static void say(OutputStream out, String line) throws IOException {
        out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    }
}
