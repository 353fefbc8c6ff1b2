package dev.satchel.server.execution;

import dev.satchel.protocol.Json;
import dev.satchel.protocol.LogLevel;
import dev.satchel.protocol.ReceivedLine;
import dev.satchel.protocol.SandboxLine;
import dev.satchel.protocol.SandboxLine.Ask;
import dev.satchel.protocol.SandboxLine.Journal;
import dev.satchel.protocol.SandboxLine.Log;
import dev.satchel.protocol.SandboxLine.StepEnded;
import dev.satchel.protocol.SandboxLine.StepStarted;
import dev.satchel.server.run.Run;
import dev.satchel.server.runlog.RunLogLimits;
import dev.satchel.server.runlog.RunLogWriter;
import dev.satchel.server.usage.ModelCallUsage;
import java.time.Clock;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes the lines of a run to its log and adds them to its message. When the log is full the run
 * goes on, and the rest of its lines is left out. A step of its own says so, in the stream, in the
 * message and in the trace.
 */
final class LineRecorder {
    /** The id of the step that says that the log is full. */
    static final String ID = "log-limit";

    private static final String NAME = "log_limit";

    /** Steps whose end is recorded although the log is full. */
    private static final int MAX_OPEN_STEPS = 1_000;

    private static final int MAX_STEP_NAME = 1_000;
    private static final int MAX_CALLS_BEYOND_LIMIT = 10_000;
    private static final int MAX_ASKS_BEYOND_LIMIT = 1_000;

    private final RunLogWriter log;
    private final BoundedTranscript transcript;
    private final RunLogLimits limits;
    private final Clock clock;
    private final Listener listener;
    private final Set<String> openSteps = new HashSet<>();
    private boolean full;
    private long leftOutLines;
    private long leftOutCharacters;
    private int callsBeyondLimit;
    private int asksBeyondLimit;
    private boolean journalFull;

    /** What a recorder reports beside the log. */
    interface Listener {
        /** The call of a model that a line reports; every line is given once. */
        @Nullable ModelCallUsage call(SandboxLine line);

        /** The journal has reached its limit: the run can no longer be continued. */
        void journalFull() throws InterruptedException;
    }

    LineRecorder(
            RunLogWriter log,
            BoundedTranscript transcript,
            RunLogLimits limits,
            Clock clock,
            Listener listener) {
        this.log = log;
        this.transcript = transcript;
        this.limits = limits;
        this.clock = clock;
        this.listener = listener;
    }

    /**
     * What the attempts before have written counts for the limits and is part of the message. False
     * when there was none.
     */
    boolean restore(RunSettlement settlements, Run run) {
        if (run.attempt() == 1) {
            return false;
        }
        long characters = settlements.fold(run, transcript, this::restore);
        log.restore(characters, settlements.journalSize(run));
        return true;
    }

    private void restore(SandboxLine line) {
        trackStep(line);
        full = full || (line instanceof StepStarted step && step.id().equals(ID));
    }

    /** Adds a line of this server. */
    void add(SandboxLine line) throws InterruptedException {
        add(line, Json.MAPPER.writeValueAsString(line), null, null);
    }

    /** If only the whole of a cut line does not fit, the trace has the line as clients get it. */
    void add(LineLimits.Limited line) throws InterruptedException {
        SandboxLine shown = line.shown().line();
        if (shown instanceof Journal journal) {
            addJournal(journal);
            return;
        }
        add(shown, json(line.shown()), line.traced(), listener.call(shown));
    }

    private void add(
            SandboxLine shown,
            String body,
            @Nullable ReceivedLine traced,
            @Nullable ModelCallUsage call)
            throws InterruptedException {
        if (full || !log.hasRoomFor(body.length())) {
            leaveOut(shown, body, call);
            return;
        }
        String whole = traced == null ? null : json(traced);
        boolean fits = whole == null || log.hasRoomFor(body.length() + (long) whole.length());
        append(shown, body, fits ? whole : null, call);
        trackStep(shown);
    }

    /** When the journal is full, the run goes on without it, and the trace says so. */
    private void addJournal(Journal line) throws InterruptedException {
        String body = Json.MAPPER.writeValueAsString(line);
        if (!journalFull && log.hasRoomForJournal(body.length())) {
            log.appendJournal(body);
            return;
        }
        if (!journalFull) {
            journalFull = true;
            listener.journalFull();
            String message =
                    String.format(
                            Locale.ROOT,
                            "The journal of this run has reached its limit of %,d characters. The"
                                    + " run goes on, but it cannot be continued if its server is"
                                    + " lost.",
                            limits.journalCharacters());
            add(new Log(LogLevel.WARN, message, clock.millis()));
        }
    }

    /** The lines of a journal are numbered from 1; of one that is full nothing is stored. */
    boolean isNext(Journal line) {
        return journalFull || line.n() == log.journalLines() + 1;
    }

    /** Whether the run can be continued with its journal. */
    boolean hasWholeJournal() {
        return !journalFull && log.journalLines() > 0;
    }

    /** Whether the run can no longer be continued. */
    boolean isJournalFull() {
        return journalFull;
    }

    private static String json(ReceivedLine line) {
        if (line.unknown().isEmpty()) {
            return Json.MAPPER.writeValueAsString(line.line());
        }
        ObjectNode whole = Json.MAPPER.valueToTree(line.line());
        whole.setAll(line.unknown());
        return Json.MAPPER.writeValueAsString(whole);
    }

    /** The last line of the runner is the answer: it is part of the message in any case. */
    void addAnswer(SandboxLine answer) {
        ModelCallUsage _ = listener.call(answer); // an error of a model is counted
        transcript.add(answer, 0);
    }

    /** Records how much was left out; to be called before the run is settled. */
    void finish() throws InterruptedException {
        if (!full) {
            return;
        }
        String message =
                String.format(
                        Locale.ROOT,
                        "%,d lines with %,d characters were left out of the log of this run.",
                        leftOutLines,
                        leftOutCharacters);
        appendUnlimited(
                new StepEnded(
                        ID,
                        NAME,
                        StepEnded.Outcome.SUCCEEDED,
                        Json.MAPPER.valueToTree(
                                Map.of(
                                        "message",
                                        message,
                                        "leftOutLines",
                                        leftOutLines,
                                        "leftOutCharacters",
                                        leftOutCharacters)),
                        null,
                        null,
                        clock.millis()));
    }

    /**
     * A step that has begun in the log also ends there, without its values. A call of a model has
     * its line, because it costs money, and so has an ask, because a person must answer it.
     */
    private void leaveOut(SandboxLine line, String body, @Nullable ModelCallUsage call)
            throws InterruptedException {
        int length = body.length();
        if (!full) {
            full = true;
            appendUnlimited(notice());
        }
        if (line instanceof StepEnded ended && openSteps.remove(ended.id())) {
            appendUnlimited(LineLimits.withoutValues(ended, length));
            return;
        }
        if (line instanceof Ask && asksBeyondLimit < MAX_ASKS_BEYOND_LIMIT) {
            asksBeyondLimit++;
            append(line, body, null, null);
            return;
        }
        if (call != null && callsBeyondLimit < MAX_CALLS_BEYOND_LIMIT) {
            callsBeyondLimit++;
            append(line, body, null, call);
            return;
        }
        leftOutLines++;
        leftOutCharacters += length;
    }

    private StepStarted notice() {
        String message =
                String.format(
                        Locale.ROOT,
                        "The log of this run has reached its limit of %,d characters or %,d lines."
                                + " The run goes on, but its further steps are not recorded.",
                        limits.characters(),
                        limits.lines());
        return new StepStarted(
                ID, NAME, Json.MAPPER.valueToTree(Map.of("message", message)), clock.millis());
    }

    private void trackStep(SandboxLine line) {
        if (line instanceof StepStarted started
                && openSteps.size() < MAX_OPEN_STEPS
                && started.id().length() + started.name().length() <= MAX_STEP_NAME) {
            openSteps.add(started.id());
        } else if (line instanceof StepEnded ended) {
            openSteps.remove(ended.id());
        }
    }

    private void appendUnlimited(SandboxLine line) throws InterruptedException {
        append(line, Json.MAPPER.writeValueAsString(line), null, null);
    }

    private void append(
            SandboxLine line, String body, @Nullable String whole, @Nullable ModelCallUsage call)
            throws InterruptedException {
        log.append(line.type(), body, whole, call);
        transcript.add(line, body.length());
    }
}
