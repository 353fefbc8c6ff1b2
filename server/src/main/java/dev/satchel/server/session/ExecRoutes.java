package dev.satchel.server.session;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.http.SatchelException;
import dev.satchel.protocol.CommandOutcome;
import dev.satchel.protocol.Json;
import dev.satchel.server.access.Access;
import dev.satchel.server.access.Caller;
import dev.satchel.server.run.LoggedLine;
import dev.satchel.server.run.Run;
import dev.satchel.server.run.RunFollower;
import dev.satchel.server.run.RunId;
import dev.satchel.server.run.RunStarts;
import dev.satchel.server.turn.Turns;
import dev.satchel.server.workspace.SessionLookup;
import java.io.IOException;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * {@code POST /api/sessions/{id}/exec}: one command in the session's workspace. It is a run like a
 * turn's, so nothing else runs meanwhile and what it leaves is kept. A client that goes away ends
 * it, unless its request carries a key: then it may come back for the outcome.
 */
public final class ExecRoutes {
    private final Sessions sessions;
    private final SessionLookup lookup;
    private final Turns turns;
    private final RunStarts starts;
    private final RunFollower follower;
    private final Access access;

    public ExecRoutes(
            Sessions sessions,
            SessionLookup lookup,
            Turns turns,
            RunStarts starts,
            RunFollower follower,
            Access access) {
        this.sessions = sessions;
        this.lookup = lookup;
        this.turns = turns;
        this.starts = starts;
        this.follower = follower;
        this.access = access;
    }

    public void addTo(Router router) {
        router.post("/api/sessions/{id}/exec", access.required(this::exec));
    }

    private void exec(Exchange exchange, Caller caller) throws IOException, InterruptedException {
        Session session = sessions.of(lookup.find(exchange, caller));
        NewCommand command = exchange.readLenientJson(NewCommand.class);
        RunId run = starts.begin(exchange, caller, id -> begin(caller, session, id, command)).id();
        if (exchange.operation().isEmpty()) {
            exchange.onDisconnect(() -> turns.clientGone(run));
        }
        exchange.json(200, outcome(follower.awaitEnd(exchange, run)));
    }

    private Run begin(Caller caller, Session session, RunId id, NewCommand command) {
        session.requireActive();
        return turns.beginCommand(
                caller,
                session.conversation().id(),
                id,
                session.setup().running(command.toRun()),
                sessions::requireActive);
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
