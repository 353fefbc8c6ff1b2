package dev.satchel.client;

import dev.satchel.client.model.Event;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads one connection's events, sent as server-sent events or as NDJSON. The server is never
 * silent for long: it sends comments or blank lines. A silent connection is dead, and is closed.
 */
final class EventReader implements AutoCloseable {
    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(60);

    private final boolean isNdjson;
    private final BufferedReader lines;
    private final IdleStreamMonitor watch;

    EventReader(HttpResponse<InputStream> response) {
        this(response, LONGEST_SILENCE);
    }

    EventReader(HttpResponse<InputStream> response, Duration longestSilence) {
        InputStream body = response.body();
        this.isNdjson = response.headers().firstValue("Content-Type").orElse("").contains("ndjson");
        this.lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
        this.watch = new IdleStreamMonitor(longestSilence, body);
    }

    /** An event's data, and its id where one was sent. */
    record Frame(String id, String data) {
        Event event() {
            return ClientJson.MAPPER.readValue(data, Event.class);
        }
    }

    /** Empty when the connection has ended; half an event at its end does not count. */
    Optional<Frame> next() throws IOException {
        return isNdjson ? nextLine() : nextEvent();
    }

    @Override
    public void close() throws IOException {
        watch.close();
        lines.close();
    }

    private Optional<Frame> nextLine() throws IOException {
        for (String line = line(); line != null; line = line()) {
            if (!line.isBlank()) {
                return Optional.of(new Frame("", line));
            }
        }
        return Optional.empty();
    }

    private Optional<Frame> nextEvent() throws IOException {
        String id = "";
        StringBuilder data = new StringBuilder();
        for (String line = line(); line != null; line = line()) {
            if (line.isEmpty() && !data.isEmpty()) {
                return Optional.of(new Frame(id, data.substring(1)));
            }
            if (line.startsWith("id:")) {
                id = line.substring(3).strip();
            } else if (line.startsWith("data:")) {
                data.append('\n').append(line.substring(5).strip());
            }
        }
        return Optional.empty();
    }

    private @Nullable String line() throws IOException {
        String line = lines.readLine();
        watch.recordActivity();
        return line;
    }

    /** Closes a stream that was idle for too long, so that its reader continues. */
    static final class IdleStreamMonitor implements AutoCloseable {
        private final long patienceNanos;
        private final InputStream stream;
        private final Thread thread;
        private volatile long heardAt = System.nanoTime();

        IdleStreamMonitor(Duration patience, InputStream stream) {
            this.patienceNanos = patience.toNanos();
            this.stream = stream;
            this.thread = new Thread(this::watch, "silence-watch");
            thread.setDaemon(true);
            thread.start();
        }

        void recordActivity() {
            heardAt = System.nanoTime();
        }

        @Override
        public void close() {
            thread.interrupt();
        }

        private void watch() {
            try {
                for (long left = left(); left > 0; left = left()) {
                    TimeUnit.NANOSECONDS.sleep(left);
                }
                stream.close();
            } catch (InterruptedException | IOException e) {
                // the reader has left, or the stream was gone already
            }
        }

        private long left() {
            return heardAt + patienceNanos - System.nanoTime();
        }
    }
}
