package dev.satchel.server.dialect;

import dev.satchel.http.EventStream;
import dev.satchel.http.Exchange;
import dev.satchel.protocol.Json;
import dev.satchel.server.run.RunId;
import dev.satchel.server.run.RunLogLine;
import dev.satchel.server.runlog.RunLogStreamer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Sends a run's story as it happens, always from its beginning. */
public final class DialectStream implements RunLogStreamer.Sink {
    private final RunEventTranslator story;
    private final EventStream events;
    private final boolean logs;
    private final List<String> last;

    private DialectStream(
            RunEventTranslator story, EventStream events, boolean logs, List<String> last) {
        this.story = story;
        this.events = events;
        this.logs = logs;
        this.last = List.copyOf(last);
    }

    /**
     * Streams a run to its end.
     *
     * @param last frames after the end, for dialects that have such
     */
    public static void send(
            Exchange exchange,
            RunLogStreamer follower,
            RunId run,
            EventEncoder teller,
            List<String> last)
            throws IOException, InterruptedException {
        boolean logs = exchange.query("include").filter("log"::equals).isPresent();
        try (EventStream events = exchange.events()) {
            follower.follow(
                    exchange,
                    run,
                    new DialectStream(new RunEventTranslator(teller), events, logs, last));
        }
    }

    @Override
    public void lines(List<RunLogLine> lines) throws IOException {
        List<String> frames = new ArrayList<>();
        for (RunLogLine line : lines) {
            if (logs || line.isEvent()) {
                story.tell(line).forEach(told -> frames.add(Json.MAPPER.writeValueAsString(told)));
            }
            if (line.isEnd()) {
                frames.addAll(last);
            }
        }
        events.sendData(frames);
    }

    @Override
    public void quiet() throws IOException {
        events.ping();
    }
}
