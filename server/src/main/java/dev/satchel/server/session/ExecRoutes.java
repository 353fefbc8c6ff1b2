package dev.satchel.server.session;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.Fields;
import dev.satchel.http.Router;
import dev.satchel.http.SatchelException;
import dev.satchel.protocol.CommandOutcome;
import dev.satchel.protocol.Json;
import dev.satchel.protocol.RunConfig;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.execution.Executions;
import dev.satchel.server.runlog.RunLogLine;
import dev.satchel.server.runlog.RunLogStreamer;
import dev.satchel.server.turn.OnDisconnect;
import dev.satchel.server.turn.TurnRequest;
import dev.satchel.server.turn.TurnService;
import dev.satchel.server.workspace.SessionLookup;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * {@code POST /api/sessions/{id}/exec}: one command in the session's workspace. It is a run like
 * that of a turn: nothing else runs meanwhile, and the workspace is saved. It is cancelled when the
 * client disconnects, unless the request has an idempotency key to reconnect with.
 */
public final class ExecRoutes {
    private final SessionService sessions;
    private final SessionLookup lookup;
    private final TurnService turns;
    private final Executions executions;
    private final RunLogStreamer streamer;
    private final Authentication access;

    public ExecRoutes(
            SessionService sessions,
            SessionLookup lookup,
            TurnService turns,
            Executions executions,
            RunLogStreamer streamer,
            Authentication access) {
        this.sessions = sessions;
        this.lookup = lookup;
        this.turns = turns;
        this.executions = executions;
        this.streamer = streamer;
        this.access = access;
    }

    public void addTo(Router router) {
        router.post(
                "/api/sessions/{id}/exec",
                access.requireCaller(Permission.WRITE_CHATS, this::exec));
    }

    private void exec(Exchange exchange, Caller caller) throws IOException, InterruptedException {
        Session session = sessions.of(lookup.find(exchange, caller));
        ExecRequest command = exchange.readLenientJson(ExecRequest.class);
        TurnRequest request =
                new TurnRequest(session.target(), new TurnRequest.Command(command.toRun()));
        RunId run = turns.start(caller, request, exchange.operation().orElse(null)).id();
        OnDisconnect.usual(exchange.operation().isPresent())
                .apply(executions, streamer.readers(), exchange, run);
        exchange.json(200, outcome(streamer.awaitEnd(exchange, run)));
    }

    /** The first of the two closing lines is the result or the error. */
    private static CommandOutcome outcome(List<RunLogLine> closing) {
        JsonNode line = Json.MAPPER.readTree(closing.getFirst().body());
        String message = line.path("message").stringValue("");
        if (!closing.getFirst().type().equals("result")) {
            throw new SatchelException(ErrorCode.COMMAND_FAILED, "Exec failed: " + message);
        }
        try {
            return Json.MAPPER.readValue(message, CommandOutcome.class);
        } catch (JacksonException e) {
            throw new SatchelException(
                    ErrorCode.COMMAND_FAILED, "Exec failed: this runner does not support commands");
        }
    }

    /** The body of {@code POST /api/sessions/{id}/exec}; the timeout is in milliseconds. */
    record ExecRequest(String command, @Nullable JsonNode timeout) {
        private static final int MAX_LENGTH = 100_000;
        private static final long DEFAULT_MILLIS = 120_000;
        private static final long MAX_MILLIS = 600_000;

        ExecRequest {
            Fields.text("command", command, MAX_LENGTH);
            if (timeout != null && !timeout.isNull() && !isWithin(timeout)) {
                throw Fields.invalid("timeout", "must be 1 to " + MAX_MILLIS + " milliseconds");
            }
        }

        RunConfig.Command toRun() {
            long millis =
                    timeout == null || timeout.isNull() ? DEFAULT_MILLIS : timeout.longValue();
            return new RunConfig.Command(command, millis);
        }

        /** A whole number, not one as text. */
        private static boolean isWithin(JsonNode timeout) {
            return timeout.isIntegralNumber()
                    && timeout.canConvertToLong()
                    && timeout.longValue() >= 1
                    && timeout.longValue() <= MAX_MILLIS;
        }
    }
}
