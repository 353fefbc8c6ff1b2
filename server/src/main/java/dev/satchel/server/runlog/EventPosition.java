package dev.satchel.server.runlog;

import dev.satchel.http.Exchange;
import dev.satchel.http.Fields;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.run.Run;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where a reader stopped: {@code <runId>:<seq>}, or a number alone for the run in question. */
public record EventPosition(Optional<RunId> run, long seq) {
    private static final Pattern MEDIA_TYPE =
            Pattern.compile("application/x-ndjson|application/json|text/event-stream");

    /** From {@code Last-Event-ID}, as browsers send it, or {@code ?after=}. */
    public static Optional<EventPosition> asked(Exchange exchange) {
        return exchange.header("Last-Event-ID")
                .or(() -> exchange.query("after"))
                .map(EventPosition::parse);
    }

    /** Whether NDJSON is the first media type in {@code Accept} that the route can send. */
    public static boolean wantsNdjson(Exchange exchange) {
        Matcher first = MEDIA_TYPE.matcher(exchange.header("Accept").orElse(""));
        return first.find() && first.group().equals("application/x-ndjson");
    }

    /** Lines are stored before they are sent, so a position beyond the log is invalid. */
    public static void requireWithin(Run run, long seq) {
        if (seq > run.lastSeq()) {
            throw Fields.invalid("after", "is beyond the " + run.lastSeq() + " lines of this run");
        }
    }

    static EventPosition parse(String text) {
        int colon = text.lastIndexOf(':');
        String run = colon < 0 ? "" : text.substring(0, colon);
        try {
            long seq = Long.parseLong(text.substring(colon + 1));
            if (seq < 0 || (colon >= 0 && !RunId.isValid(run))) {
                throw invalid();
            }
            return new EventPosition(
                    colon < 0 ? Optional.empty() : Optional.of(new RunId(run)), seq);
        } catch (NumberFormatException e) {
            throw invalid();
        }
    }

    private static RuntimeException invalid() {
        return Fields.invalid("after", "must be <runId>:<seq> or a number");
    }
}
