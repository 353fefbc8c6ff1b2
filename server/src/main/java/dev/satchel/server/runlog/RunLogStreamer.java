package dev.satchel.server.runlog;

import dev.satchel.http.EventStream;
import dev.satchel.http.EventStream.Event;
import dev.satchel.http.Exchange;
import dev.satchel.server.conversation.RunId;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Streams the log of a run to a client, from a number on to the end. A slow client blocks only its
 * own thread.
 */
public final class RunLogStreamer {
    private static final int RETRY_MILLIS = 1_000;
    private static final int WRITE_CHARACTERS = 1024 * 1024;

    private final RunLog log;
    private final RunReaders readers;
    private final Duration heartbeat;

    public RunLogStreamer(RunLog log, RunReaders readers, Duration heartbeat) {
        this.log = log;
        this.readers = readers;
        this.heartbeat = heartbeat;
    }

    /** The clients that read runs. */
    public RunReaders readers() {
        return readers;
    }

    /** As NDJSON when the client accepts it, as server-sent events otherwise. */
    public void stream(Exchange exchange, RunId run, long after)
            throws IOException, InterruptedException {
        if (EventPosition.wantsNdjson(exchange)) {
            ndjson(exchange, run, after, RunLogLine::isEvent, RunLogLine::body);
        } else {
            events(exchange, run, after);
        }
    }

    /** As server-sent events: {@code log} lines left out, {@code id: <runId>:<seq>}. */
    private void events(Exchange exchange, RunId run, long after)
            throws IOException, InterruptedException {
        try (EventStream events = exchange.events()) {
            events.retryAfterMillis(RETRY_MILLIS);
            follow(
                    exchange,
                    run,
                    after,
                    new Sink() {
                        @Override
                        public void lines(List<RunLogLine> lines) throws IOException {
                            events.send(
                                    lines.stream()
                                            .filter(RunLogLine::isEvent)
                                            .map(line -> event(run, line))
                                            .toList());
                        }

                        @Override
                        public void quiet() throws IOException {
                            events.ping();
                        }
                    });
        }
    }

    /** Every line but the journal, with its values cut, as NDJSON. */
    public void lines(Exchange exchange, RunId run) throws IOException, InterruptedException {
        ndjson(exchange, run, 0, line -> !line.isJournal(), RunLogLine::body);
    }

    /** The wanted lines as the trace has them, as NDJSON. */
    void trace(Exchange exchange, RunId run, Predicate<RunLogLine> wanted)
            throws IOException, InterruptedException {
        ndjson(exchange, run, 0, wanted, line -> log.whole(run, line));
    }

    /** A blank line is sent when there is nothing to send for a while. */
    private void ndjson(
            Exchange exchange,
            RunId run,
            long after,
            Predicate<RunLogLine> wanted,
            Function<RunLogLine, String> format)
            throws IOException, InterruptedException {
        try (OutputStream out = exchange.lines()) {
            follow(
                    exchange,
                    run,
                    after,
                    new Sink() {
                        @Override
                        public void lines(List<RunLogLine> lines) throws IOException {
                            write(lines.stream().filter(wanted).toList(), format, out);
                        }

                        @Override
                        public void quiet() throws IOException {
                            out.write('\n');
                        }
                    });
        }
    }

    /** Writes lines together until they are large: the whole of a line has megabytes. */
    static void write(List<RunLogLine> lines, Function<RunLogLine, String> format, OutputStream out)
            throws IOException {
        StringBuilder text = new StringBuilder();
        for (RunLogLine line : lines) {
            text.append(format.apply(line)).append('\n');
            if (text.length() >= WRITE_CHARACTERS) {
                out.write(text.toString().getBytes(StandardCharsets.UTF_8));
                text.setLength(0);
            }
        }
        out.write(text.toString().getBytes(StandardCharsets.UTF_8));
    }

    /** From the first line on, in the format of the sink. */
    public void follow(Exchange exchange, RunId run, Sink sink)
            throws IOException, InterruptedException {
        follow(exchange, run, 0, sink);
    }

    /** Waits for the end of a run and returns its last two lines. */
    public List<RunLogLine> awaitEnd(Exchange exchange, RunId run)
            throws InterruptedException, IOException {
        LastLines end = new LastLines();
        follow(exchange, run, 0, end);
        return end.last;
    }

    /** The lines that a run has now; waits for none. */
    public void replay(RunId run, Sink sink) throws IOException {
        @Nullable RunLogLine last = null;
        long position = 0;
        for (List<RunLogLine> lines = log.read(run, position);
                !lines.isEmpty();
                lines = log.read(run, position)) {
            sink.lines(lines.stream().filter(line -> !line.isParked()).toList());
            position = lines.getLast().seq();
            last = lines.getLast();
        }
        if (last != null && last.isParked()) {
            sink.lines(List.of(last.waiting()));
        }
    }

    /** Receives the lines of a run. */
    public interface Sink {
        void lines(List<RunLogLine> lines) throws IOException;

        /** There was nothing to send for a while. */
        void quiet() throws IOException;
    }

    private static final class LastLines implements Sink {
        private List<RunLogLine> last = List.of();

        @Override
        public void lines(List<RunLogLine> lines) {
            List<RunLogLine> both = new java.util.ArrayList<>(last);
            both.addAll(lines);
            last = both.subList(Math.max(0, both.size() - 2), both.size());
        }

        @Override
        public void quiet() {}
    }

    /** Ends when the client disconnects. A request that starts no run is a GET. */
    private void follow(Exchange exchange, RunId run, long after, Sink sink)
            throws IOException, InterruptedException {
        Thread streaming = Thread.currentThread();
        exchange.onDisconnect(streaming::interrupt);
        boolean starts = exchange.method().equals("POST");
        try (RunReaders.Reader _ =
                starts ? readers.add(run, exchange) : readers.addFollower(run, exchange)) {
            follow(run, after, sink);
        }
    }

    /** A stream of a run that waits for people ends; it goes on in another when they answered. */
    private void follow(RunId run, long after, Sink sink) throws IOException, InterruptedException {
        @Nullable RunLogLine parked = null;
        long position = after;
        long lastSent = System.nanoTime();
        try (RunLogReader watch = log.watch(run)) {
            while (true) {
                List<RunLogLine> lines = watch.read(position);
                if (!lines.isEmpty()) {
                    sink.lines(lines.stream().filter(line -> !line.isParked()).toList());
                    lastSent = System.nanoTime();
                    position = lines.getLast().seq();
                    if (lines.getLast().isEnd()) {
                        return;
                    }
                    parked = lines.getLast().isParked() ? lines.getLast() : null;
                    continue;
                }
                if (parked != null) { // nothing follows it
                    sink.lines(List.of(parked.waiting()));
                    return;
                }
                Duration quiet = Duration.ofNanos(System.nanoTime() - lastSent);
                if (quiet.compareTo(heartbeat) >= 0) {
                    sink.quiet();
                    lastSent = System.nanoTime();
                    continue;
                }
                watch.await(position, heartbeat.minus(quiet));
            }
        }
    }

    private static Event event(RunId run, RunLogLine line) {
        return new Event(run.value() + ":" + line.seq(), line.body());
    }
}
