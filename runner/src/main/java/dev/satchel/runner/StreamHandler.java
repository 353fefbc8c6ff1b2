package dev.satchel.runner;

import dev.satchel.http.Exchange;
import dev.satchel.http.Fields;
import dev.satchel.http.Handler;
import dev.satchel.http.SharedSecret;
import dev.satchel.protocol.Dispatch;
import dev.satchel.protocol.NdjsonWriter;
import dev.satchel.protocol.SandboxLine;
import dev.satchel.runner.run.Cancellation;
import dev.satchel.runner.run.RunExecutor;
import dev.satchel.runner.run.SandboxRunId;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import org.slf4j.MDC;

/** Handles {@code POST /stream}: executes a run and streams its lines. */
final class StreamHandler implements Handler {
    /** Enough for the prompt and 20 turns of history. */
    private static final long MAX_DISPATCH_BYTES = 16 * 1024 * 1024;

    private static final Duration HEARTBEAT = Duration.ofSeconds(15);

    private final SharedSecret secret;
    private final ActiveRuns active;
    private final RunExecutor runs;

    StreamHandler(SharedSecret secret, ActiveRuns active, RunExecutor runs) {
        this.secret = secret;
        this.active = active;
        this.runs = runs;
    }

    @Override
    public void handle(Exchange exchange) throws IOException, InterruptedException {
        secret.require(exchange);
        Dispatch dispatch =
                DispatchValidator.validate(
                        exchange.readLenientJson(Dispatch.class, MAX_DISPATCH_BYTES));
        SandboxRunId id = runId(dispatch.sessionId());
        MDC.put("runId", id.value()); // until the end of the request
        if (dispatch.chatId() != null) {
            MDC.put("chatId", dispatch.chatId());
        }
        try (ActiveRuns.Reservation run = active.reserve(id, dispatch.otpSetup())) {
            exchange.onDisconnect(run.cancellation()::cancel);
            execute(id, dispatch, run.cancellation(), exchange);
        }
        // the response ends after the reservation, so a client that has read it can start a run
    }

    private void execute(
            SandboxRunId id, Dispatch dispatch, Cancellation cancellation, Exchange exchange)
            throws IOException, InterruptedException {
        OutputStream out = exchange.lines();
        NdjsonWriter lines = new NdjsonWriter(out);
        try (NdjsonHeartbeat _ = new NdjsonHeartbeat(out, HEARTBEAT)) {
            runs.execute(id, dispatch, cancellation, lines::write);
        } catch (InterruptedException e) {
            if (exchange.clientDisconnected()) {
                throw e;
            }
            lines.write(new SandboxLine.Failure("runner_stopped", "The runner was stopped.", null));
        }
    }

    private static SandboxRunId runId(String sessionId) {
        try {
            return new SandboxRunId(sessionId);
        } catch (IllegalArgumentException e) {
            throw Fields.invalid("session_id", "is " + e.getMessage());
        }
    }
}
