package dev.satchel.server.dialect;

import dev.satchel.http.EventStream;
import dev.satchel.http.Exchange;
import dev.satchel.protocol.Json;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.runlog.RunEvent;
import dev.satchel.server.runlog.RunLogLine;
import dev.satchel.server.runlog.RunLogStreamer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Streams a run in the protocol of an encoder, always from the run's first line. */
public final class DialectStream implements RunLogStreamer.Sink {
    private final RunEventTranslator translator = new RunEventTranslator();
    private final EventEncoder encoder;
    private final @Nullable EventStream events;
    private final boolean logs;
    private final List<String> last;
    private final long after;
    private boolean isResumed;

    private DialectStream(
            EventEncoder encoder,
            @Nullable EventStream events,
            boolean logs,
            List<String> last,
            long after) {
        this.encoder = encoder;
        this.events = events;
        this.logs = logs;
        this.last = List.copyOf(last);
        this.after = after;
    }

    /**
     * Streams a run to its end.
     *
     * @param last data frames to send after the end of the run
     */
    public static void send(
            Exchange exchange,
            RunLogStreamer follower,
            RunId run,
            EventEncoder encoder,
            List<String> last)
            throws IOException, InterruptedException {
        send(exchange, follower, run, encoder, last, 0);
    }

    /**
     * Streams the events of a run after a line, to a client that has those before; it receives the
     * beginning of the run again, which names it.
     */
    public static void send(
            Exchange exchange,
            RunLogStreamer follower,
            RunId run,
            EventEncoder encoder,
            List<String> last,
            long after)
            throws IOException, InterruptedException {
        boolean logs = exchange.query("include").filter("log"::equals).isPresent();
        try (EventStream events = exchange.events()) {
            follower.follow(exchange, run, new DialectStream(encoder, events, logs, last, after));
        }
    }

    /** Reads a run to its end without sending anything; the encoder has it then. */
    public static void collect(
            Exchange exchange, RunLogStreamer follower, RunId run, EventEncoder encoder, long after)
            throws IOException, InterruptedException {
        follower.follow(exchange, run, new DialectStream(encoder, null, false, List.of(), after));
    }

    /** Reads what a run has written so far; the encoder has it then. */
    public static void replay(RunLogStreamer follower, RunId run, EventEncoder encoder, long after)
            throws IOException {
        follower.replay(run, new DialectStream(encoder, null, false, List.of(), after));
    }

    @Override
    public void lines(List<RunLogLine> lines) throws IOException {
        List<String> frames = new ArrayList<>();
        for (RunLogLine line : lines) {
            if (after > 0 && !isResumed && isNew(line)) {
                isResumed = true;
                encoder.resumed();
            }
            if (line.isEvent() || (logs && !line.isJournal())) {
                for (StreamEvent event : translator.translate(RunEvent.parse(line))) {
                    List<Object> encoded = encoder.encode(event);
                    if (isNew(line) || event instanceof StreamEvent.RunStarted) {
                        encoded.forEach(it -> frames.add(frame(it)));
                    }
                }
            }
            if (line.isEnd()) {
                last.forEach(it -> frames.add("data: " + it + "\n\n"));
            }
        }
        if (events != null) {
            events.sendFrames(frames);
        }
    }

    private String frame(Object encoded) {
        String data = "data: " + Json.MAPPER.writeValueAsString(encoded) + "\n\n";
        return encoder.hasNamedEvents() && encoded instanceof Map<?, ?> named
                ? "event: " + named.get("type") + "\n" + data
                : data;
    }

    /** The end of a run that still waits has the number of a line that the client has. */
    private boolean isNew(RunLogLine line) {
        return line.seq() > after || line.isEnd();
    }

    @Override
    public void quiet() throws IOException {
        if (events != null) {
            events.ping();
        }
    }
}
