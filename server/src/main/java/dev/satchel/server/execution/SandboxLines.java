package dev.satchel.server.execution;

import dev.satchel.protocol.Json;
import dev.satchel.protocol.LineParser;
import dev.satchel.protocol.LogLevel;
import dev.satchel.protocol.MalformedLineException;
import dev.satchel.protocol.NdjsonReader;
import dev.satchel.protocol.ReceivedLine;
import dev.satchel.protocol.SandboxLine;
import dev.satchel.protocol.UnknownLineException;
import dev.satchel.server.conversation.Transcript;
import dev.satchel.server.runlog.RunLogWriter;
import dev.satchel.server.usage.ModelCall;
import java.io.IOException;
import java.time.Clock;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Reads the lines that a sandbox sends into the log and the transcript of the run. */
final class SandboxLines {
    private final NdjsonReader reader;
    private final RunLogWriter log;
    private final Transcript transcript;
    private final Clock clock;
    private final Function<SandboxLine, @Nullable ModelCall> calls;

    /** {@code calls} finds the call of a model that a line reports; it sees every line once. */
    SandboxLines(
            NdjsonReader reader,
            RunLogWriter log,
            Transcript transcript,
            Clock clock,
            Function<SandboxLine, @Nullable ModelCall> calls) {
        this.reader = reader;
        this.log = log;
        this.transcript = transcript;
        this.clock = clock;
        this.calls = calls;
    }

    /** Reads up to the result or the error; empty when the stream ends without one. */
    Optional<ReceivedLine> readToAnswer() throws IOException, InterruptedException {
        for (Optional<byte[]> next = reader.next(); next.isPresent(); next = reader.next()) {
            Optional<ReceivedLine> parsed = parse(next.get());
            if (parsed.isEmpty()) {
                continue;
            }
            LineLimits.Limited line = LineLimits.apply(parsed.get());
            ModelCall call = calls.apply(line.shown().line());
            transcript.add(line.shown().line());
            if (line.shown().line().terminal()) {
                return Optional.of(line.shown());
            }
            append(line, call);
        }
        return Optional.empty();
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
    private Optional<ReceivedLine> parse(byte[] line)
            throws MalformedLineException, InterruptedException {
        try {
            return Optional.of(LineParser.receive(line));
        } catch (UnknownLineException e) {
            warn("dropped a line: " + e.getMessage());
            return Optional.empty();
        }
    }

    private void warn(String message) throws InterruptedException {
        SandboxLine line = new SandboxLine.Log(LogLevel.WARN, message, clock.millis());
        log.append(line.type(), Json.MAPPER.writeValueAsString(line));
    }

    private void append(LineLimits.Limited line, @Nullable ModelCall call)
            throws InterruptedException {
        ReceivedLine traced = line.traced();
        log.append(
                line.shown().line().type(),
                json(line.shown()),
                traced == null ? null : json(traced),
                call);
    }

    private static String json(ReceivedLine line) {
        if (line.unknown().isEmpty()) {
            return Json.MAPPER.writeValueAsString(line.line());
        }
        ObjectNode whole = Json.MAPPER.valueToTree(line.line());
        whole.setAll(line.unknown());
        return Json.MAPPER.writeValueAsString(whole);
    }
}
