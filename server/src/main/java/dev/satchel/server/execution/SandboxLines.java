package dev.satchel.server.execution;

import dev.satchel.protocol.LineParser;
import dev.satchel.protocol.LineTooLongException;
import dev.satchel.protocol.LogLevel;
import dev.satchel.protocol.MalformedLineException;
import dev.satchel.protocol.NdjsonReader;
import dev.satchel.protocol.ReceivedLine;
import dev.satchel.protocol.SandboxLine;
import dev.satchel.protocol.UnknownLineException;
import java.io.IOException;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the lines that a sandbox sends into the log and the transcript of the run. */
final class SandboxLines {
    private static final int MAX_ASKS = 1_000;
    private static final int MAX_ASK_ID = 200;

    private final NdjsonReader reader;
    private final LineRecorder recorder;
    private final StepOutputLimit outputs;
    private final Clock clock;
    private final Map<String, SandboxLine.Ask> asks = new LinkedHashMap<>();

    SandboxLines(NdjsonReader reader, LineRecorder recorder, StepOutputLimit outputs, Clock clock) {
        this.reader = reader;
        this.recorder = recorder;
        this.outputs = outputs;
        this.clock = clock;
    }

    /** What the sandbox has asked. */
    List<SandboxLine.Ask> asks() {
        return List.copyOf(asks.values());
    }

    private void addAsk(SandboxLine.Ask ask) throws MalformedLineException {
        if (ask.id().isBlank() || ask.id().length() > MAX_ASK_ID) {
            throw new MalformedLineException(
                    "the id of an ask has 1 to " + MAX_ASK_ID + " characters");
        }
        asks.put(ask.id(), ask);
        if (asks.size() > MAX_ASKS) {
            throw new MalformedLineException("more than " + MAX_ASKS + " asks at once");
        }
    }

    /**
     * Reads up to the result, the error or the end of an attempt that waits for people; empty when
     * the stream ends without one.
     */
    Optional<ReceivedLine> readToAnswer() throws IOException, InterruptedException {
        for (Optional<byte[]> next = reader.next(); next.isPresent(); next = reader.next()) {
            Optional<ReceivedLine> parsed = parse(next.get());
            Optional<ReceivedLine> recorded = parsed.flatMap(this::withinLimit);
            if (recorded.isEmpty()) {
                continue;
            }
            LineLimits.Limited line = LineLimits.apply(recorded.get());
            if (line.shown().line().last()) {
                endOutputs();
                recorder.addAnswer(line.shown().line());
                return Optional.of(line.shown());
            }
            if (line.shown().line() instanceof SandboxLine.StepEnded ended) {
                endOutput(ended.id());
            }
            if (line.shown().line() instanceof SandboxLine.Ask ask) {
                addAsk(ask);
            }
            recorder.add(line);
        }
        endOutputs();
        return Optional.empty();
    }

    /** Of what a step prints, as much as its limit allows; any other line as it is. */
    private Optional<ReceivedLine> withinLimit(ReceivedLine received) {
        return received.line() instanceof SandboxLine.Output output
                ? outputs.record(output).map(line -> new ReceivedLine(line, received.unknown()))
                : Optional.of(received);
    }

    /** Steps that did not end say what was left out of their output as well. */
    private void endOutputs() throws InterruptedException {
        for (String step : outputs.open()) {
            endOutput(step);
        }
    }

    private void endOutput(String step) throws InterruptedException {
        Optional<SandboxLine.Output> note = outputs.end(step);
        if (note.isPresent()) {
            recorder.add(note.get());
        }
    }

    /** Reads to the end of the connection: a write-back may still run after the answer. */
    void drain() throws InterruptedException {
        try {
            int ignored = 0;
            while (reader.next().isPresent()) {
                ignored++;
            }
            if (ignored > 0) {
                warn("ignored " + ignored + " lines after the end of the run");
            }
        } catch (IOException e) {
            warn("the connection broke off after the answer");
        }
    }

    /**
     * A line of an unknown type or status is logged and skipped; any other invalid line ends the
     * run.
     */
    private Optional<ReceivedLine> parse(byte[] line) throws IOException, InterruptedException {
        try {
            ReceivedLine received = LineParser.receive(line);
            if (received.line() instanceof SandboxLine.Resumed) {
                throw new UnknownLineException("resumed is a line of the server");
            }
            if (received.line() instanceof SandboxLine.Journal journal) {
                check(journal, line.length);
            }
            return Optional.of(received);
        } catch (UnknownLineException e) {
            warn("dropped a line: " + e.getMessage());
            return Optional.empty();
        }
    }

    /** Journals are read in pages by these numbers, so a wrong number ends the run. */
    private void check(SandboxLine.Journal line, int bytes) throws IOException {
        if (bytes > SandboxLine.Journal.MAX_BYTES) {
            throw new LineTooLongException(SandboxLine.Journal.MAX_BYTES);
        }
        if (!recorder.isNext(line)) {
            throw new MalformedLineException("a journal line has the wrong number " + line.n());
        }
    }

    private void warn(String message) throws InterruptedException {
        recorder.add(new SandboxLine.Log(LogLevel.WARN, message, clock.millis()));
    }
}
