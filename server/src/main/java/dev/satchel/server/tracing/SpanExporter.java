package dev.satchel.server.tracing;

import dev.satchel.http.HttpClients;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends spans to a collector, by OTLP over HTTP. Nobody waits for it: when the collector is away or
 * slow, spans are dropped. Thread-safe.
 */
final class SpanExporter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SpanExporter.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);
    private static final int MAX_BATCH = 512;

    private final TracingSettings settings;
    private final String version;
    private final BlockingQueue<Optional<Span>> queue; // an empty one only wakes the sender
    private final AtomicLong dropped = new AtomicLong();
    private final HttpClient client = HttpClients.builder().connectTimeout(TIMEOUT).build();
    private final Thread sender;
    private volatile boolean closed;
    private boolean isAway; // only of the sender

    SpanExporter(TracingSettings settings, String version) {
        this.settings = settings;
        this.version = version;
        this.queue = new ArrayBlockingQueue<>(settings.maxQueued());
        this.sender = Thread.ofVirtual().name("spans").start(this::send);
    }

    /** Returns at once. */
    void add(Span span) {
        if (span.context().sampled() && !queue.offer(Optional.of(span))) {
            dropped.incrementAndGet();
        }
    }

    /** How many spans did not reach the collector. */
    long dropped() {
        return dropped.get();
    }

    private void send() {
        List<Optional<Span>> taken = new ArrayList<>(MAX_BATCH);
        try {
            while (!closed || !queue.isEmpty()) {
                taken.add(queue.take());
                queue.drainTo(taken, MAX_BATCH - 1);
                post(taken.stream().flatMap(Optional::stream).toList());
                taken.clear();
            }
        } catch (InterruptedException e) {
            // the time to send the rest is over
        }
    }

    private void post(List<Span> batch) throws InterruptedException {
        if (batch.isEmpty()) {
            return;
        }
        HttpRequest.Builder request =
                HttpRequest.newBuilder(settings.traces())
                        .timeout(TIMEOUT)
                        .header("Content-Type", "application/json")
                        .POST(
                                BodyPublishers.ofByteArray(
                                        OtlpFormat.request(settings.service(), version, batch)));
        settings.headers().forEach(request::setHeader);
        try {
            HttpResponse<Void> response = client.send(request.build(), BodyHandlers.discarding());
            if (response.statusCode() / 100 != 2) {
                failed(batch.size(), "it answered " + response.statusCode());
                return;
            }
            if (isAway) {
                LOG.info("the collector of traces answers again");
            }
            isAway = false;
        } catch (IOException e) {
            failed(batch.size(), e.toString());
        }
    }

    /** One line for an outage, however long it lasts. */
    private void failed(int spans, String reason) {
        dropped.addAndGet(spans);
        if (!isAway) {
            LOG.warn("the collector of traces takes no spans, they are dropped reason={}", reason);
        }
        isAway = true;
    }

    /** Sends what waits, for a short time. */
    @Override
    public void close() {
        closed = true;
        boolean _ = queue.offer(Optional.empty()); // wakes the sender; if full, it is awake
        try {
            boolean _ = sender.join(CLOSE_TIMEOUT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        sender.interrupt();
        client.shutdownNow();
    }
}
