package dev.satchel.server.session;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.http.SatchelException;
import dev.satchel.protocol.CommandOutcome;
import dev.satchel.protocol.Json;
import dev.satchel.server.access.Access;
import dev.satchel.server.access.Caller;
import dev.satchel.server.execution.Executions;
import dev.satchel.server.execution.Stop;
import dev.satchel.server.run.LoggedLine;
import dev.satchel.server.run.Run;
import dev.satchel.server.run.RunFollower;
import dev.satchel.server.run.RunId;
import dev.satchel.server.turn.Turns;
import dev.satchel.server.workspace.SessionLookup;
import java.io.IOException;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * {@code POST /api/sessions/{id}/exec}: one command in the session's workspace. It is a run like a
 * turn's, so nothing else runs meanwhile and what it leaves is kept; a client that goes away ends
 * it.
 */
public final class ExecRoutes {
    private final Sessions sessions;
    private final SessionLookup lookup;
    private final Turns turns;
    private final Executions executions;
    private final RunFollower follower;
    private final Access access;

    public ExecRoutes(
            Sessions sessions,
            SessionLookup lookup,
            Turns turns,
            Executions executions,
            RunFollower follower,
            Access access) {
        this.sessions = sessions;
        this.lookup = lookup;
        this.turns = turns;
        this.executions = executions;
        this.follower = follower;
        this.access = access;
    }

    public void addTo(Router router) {
        router.post("/api/sessions/{id}/exec", access.required(this::exec));
    }

    private void exec(Exchange exchange, Caller caller) throws IOException, InterruptedException {
        Session session = sessions.of(lookup.find(exchange, caller));
        NewCommand command = exchange.readJson(NewCommand.class);
        session.requireActive();
        Run run =
                turns.beginCommand(
                        caller, session.conversation().id(), session.setup(), command.toRun());
        exchange.onDisconnect(() -> stop(run.id()));
        exchange.json(200, outcome(follower.awaitEnd(exchange, run.id())));
    }

    private void stop(RunId run) {
        executions.find(run).ifPresent(execution -> execution.stop(Stop.CLIENT_GONE));
    }

    /** The first of the two closing lines is the result or why there is none. */
    private static CommandOutcome outcome(List<LoggedLine> closing) {
        JsonNode line = Json.MAPPER.readTree(closing.getFirst().body());
        String message = line.path("message").stringValue("");
        if (!closing.getFirst().type().equals("result")) {
            throw new SatchelException(ErrorCode.COMMAND_FAILED, "Exec failed: " + message);
        }
        try {
            return Json.MAPPER.readValue(message, CommandOutcome.class);
        } catch (JacksonException e) {
            throw new SatchelException(
                    ErrorCode.COMMAND_FAILED, "Exec failed: this runner takes no commands");
        }
    }
}
