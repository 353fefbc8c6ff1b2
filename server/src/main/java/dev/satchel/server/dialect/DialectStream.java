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

/** Streams a run in the protocol of an encoder, always from the run's first line. */
public final class DialectStream implements RunLogStreamer.Sink {
    private final RunEventTranslator translator = new RunEventTranslator();
    private final EventEncoder encoder;
    private final EventStream events;
    private final boolean logs;
    private final List<String> last;
    private final long after;

    private DialectStream(
            EventEncoder encoder, EventStream events, boolean logs, List<String> last, long after) {
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

    @Override
    public void lines(List<RunLogLine> lines) throws IOException {
        List<String> frames = new ArrayList<>();
        for (RunLogLine line : lines) {
            if (line.isEvent() || (logs && !line.isJournal())) {
                for (StreamEvent event : translator.translate(RunEvent.parse(line))) {
                    List<Object> encoded = encoder.encode(event);
                    if (isNew(line) || event instanceof StreamEvent.RunStarted) {
                        encoded.forEach(it -> frames.add(Json.MAPPER.writeValueAsString(it)));
                    }
                }
            }
            if (line.isEnd()) {
                frames.addAll(last);
            }
        }
        events.sendData(frames);
    }

    /** The end of a run that still waits has the number of a line that the client has. */
    private boolean isNew(RunLogLine line) {
        return line.seq() > after || line.isEnd();
    }

    @Override
    public void quiet() throws IOException {
        events.ping();
    }
}
