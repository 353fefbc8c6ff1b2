package dev.satchel.server.testing;

import dev.satchel.http.Exchange;
import dev.satchel.http.HttpServer;
import dev.satchel.http.Router;
import dev.satchel.protocol.Dispatch;
import dev.satchel.protocol.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A runner for tests: a real HTTP server that sends the lines of the test. */
public final class ScriptedSandbox implements AutoCloseable {
    private static final long TIMEOUT_SECONDS = 60;

    private final BlockingQueue<RunOnStage> arrived = new LinkedBlockingQueue<>();
    private final HttpServer server;

    public ScriptedSandbox() throws IOException, InterruptedException {
        Router router = new Router().post("/stream", this::stream);
        server = HttpServer.start("127.0.0.1", 0, router, Json.MAPPER, (_, _, _, _) -> {});
    }

    public URI url() {
        return URI.create("http://127.0.0.1:" + server.port());
    }

    /** The next run that was dispatched here. */
    public RunOnStage next() throws InterruptedException {
        RunOnStage run = arrived.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        if (run == null) {
            throw new AssertionError("no run was dispatched");
        }
        return run;
    }

    public boolean nothingDispatched() {
        return arrived.isEmpty();
    }

    @Override
    public void close() {
        server.close();
    }

    private void stream(Exchange exchange) throws IOException, InterruptedException {
        RunOnStage run =
                new RunOnStage(
                        exchange.readLenientJson(Dispatch.class), exchange.header("traceparent"));
        exchange.onDisconnect(run.hungUp::countDown);
        arrived.add(run);
        run.play(exchange);
    }

    /** One dispatched run; the test decides which lines it sends and when. */
    public static final class RunOnStage {
        private static final Iterator<byte[]> END = Collections.emptyIterator();

        private final Dispatch dispatch;
        private final Optional<String> traceparent;
        private final BlockingQueue<Iterator<byte[]>> script = new LinkedBlockingQueue<>();
        private final CountDownLatch hungUp = new CountDownLatch(1);
        private volatile int status = 200;
        private volatile @Nullable String retryAfter;

        RunOnStage(Dispatch dispatch, Optional<String> traceparent) {
            this.dispatch = dispatch;
            this.traceparent = traceparent;
        }

        /** The trace to which the request belongs. */
        public Optional<String> traceparent() {
            return traceparent;
        }

        public Dispatch dispatch() {
            return dispatch;
        }

        /** Sends one line, or any text instead. */
        public RunOnStage say(String line) {
            return sayRaw((line + "\n").getBytes(StandardCharsets.UTF_8));
        }

        public RunOnStage sayRaw(byte[] bytes) {
            script.add(List.of(bytes).iterator());
            return this;
        }

        /** Sends many lines, each made when the one before is sent. */
        public RunOnStage sayAll(Stream<String> lines) {
            script.add(
                    lines.map(line -> (line + "\n").getBytes(StandardCharsets.UTF_8)).iterator());
            return this;
        }

        public RunOnStage stepStarts(String id, String name) {
            return say(
                    "{\"type\":\"step\",\"id\":\"%s\",\"name\":\"%s\",\"status\":\"running\",\"ts\":1}"
                            .formatted(id, name));
        }

        public RunOnStage stepSucceeds(String id, String name) {
            return say(
                    "{\"type\":\"step\",\"id\":\"%s\",\"name\":\"%s\",\"status\":\"succeeded\",\"result\":{\"ok\":true},\"durationMs\":5,\"ts\":6}"
                            .formatted(id, name));
        }

        /** Gives the answer and hangs up. */
        public void answers(String message) {
            say(
                    Json.MAPPER.writeValueAsString(
                            java.util.Map.of("type", "result", "message", message)));
            hangsUp();
        }

        public void hangsUp() {
            script.add(END);
        }

        /** Refuses instead of streaming. */
        public void refuses(int httpStatus) {
            status = httpStatus;
            script.add(END);
        }

        /** Refuses the run because it is full, with a time to try again. */
        public void isFullFor(int seconds) {
            retryAfter = Integer.toString(seconds);
            refuses(503);
        }

        /** Whether the server has closed the connection. */
        public boolean wasHungUpOn() throws InterruptedException {
            return hungUp.await(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        }

        private void play(Exchange exchange) throws IOException, InterruptedException {
            Iterator<byte[]> first = script.take();
            if (status != 200) {
                if (retryAfter != null) {
                    exchange.header("Retry-After", retryAfter);
                }
                exchange.send(status);
                return;
            }
            try (OutputStream out = exchange.lines()) {
                for (Iterator<byte[]> part = first; part.hasNext(); part = script.take()) {
                    while (part.hasNext()) {
                        out.write(part.next());
                    }
                }
            }
        }
    }
}
