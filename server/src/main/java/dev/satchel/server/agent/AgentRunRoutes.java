package dev.satchel.server.agent;

import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.server.access.Access;
import dev.satchel.server.access.Caller;
import dev.satchel.server.bag.Bags;
import dev.satchel.server.execution.Executions;
import dev.satchel.server.execution.Stop;
import dev.satchel.server.run.EventPosition;
import dev.satchel.server.run.LoggedLine;
import dev.satchel.server.run.RunFollower;
import dev.satchel.server.run.RunId;
import dev.satchel.server.run.RunStarts;

import java.io.IOException;
import java.util.List;

/** {@code POST /api/agents/{id}/runs}: every line as it comes, or the answer once it is there. */
public final class AgentRunRoutes {
    private final Agents agents;
    private final Executions executions;
    private final RunStarts starts;
    private final RunFollower follower;
    private final Bags bags;
    private final Access access;

    public AgentRunRoutes(
            Agents agents,
            Executions executions,
            RunStarts starts,
            RunFollower follower,
            Bags bags,
            Access access) {
        this.agents = agents;
        this.starts = starts;
        this.executions = executions;
        this.follower = follower;
        this.bags = bags;
        this.access = access;
    }

    public void addTo(Router router) {
        router.post("/api/agents/{id}/runs", access.required(this::run));
    }

    private void run(Exchange exchange, Caller caller) throws IOException, InterruptedException {
        RunRequest request = exchange.readJson(RunRequest.class);
        AgentId agent = AgentId.of(exchange);
        RunId run =
                starts.begin(
                                exchange,
                                caller,
                                id -> agents.begin(caller, agent, request.prompt(), id))
                        .id();
        if (request.cancelsOnDisconnect(exchange.operation().isPresent())) {
            exchange.onDisconnect(() -> cancel(run));
        }
        if (EventPosition.wantsNdjson(exchange)) {
            follower.ndjson(exchange, run, 0, _ -> true);
            return;
        }
        List<LoggedLine> closing = follower.awaitEnd(exchange, run);
        exchange.json(200, RunAnswer.of(run, closing, bags.ofRun(run)));
    }

    private void cancel(RunId run) {
        executions.find(run).ifPresent(execution -> execution.stop(Stop.CLIENT_GONE));
    }
}
