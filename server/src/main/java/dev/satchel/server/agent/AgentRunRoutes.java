package dev.satchel.server.agent;

import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.bag.BagService;
import dev.satchel.server.execution.Executions;
import dev.satchel.server.execution.StopReason;
import dev.satchel.server.run.RunId;
import dev.satchel.server.run.RunLogLine;
import dev.satchel.server.runlog.EventPosition;
import dev.satchel.server.runlog.RunLogStreamer;
import dev.satchel.server.runlog.RunRequests;
import java.io.IOException;
import java.util.List;

/** {@code POST /api/agents/{id}/runs}: every line as it comes, or the answer once it is there. */
public final class AgentRunRoutes {
    private final AgentService agents;
    private final Executions executions;
    private final RunRequests starts;
    private final RunLogStreamer follower;
    private final BagService bags;
    private final Authentication access;

    public AgentRunRoutes(
            AgentService agents,
            Executions executions,
            RunRequests starts,
            RunLogStreamer follower,
            BagService bags,
            Authentication access) {
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
        AgentRunRequest request = exchange.readJson(AgentRunRequest.class);
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
        List<RunLogLine> closing = follower.awaitEnd(exchange, run);
        exchange.json(200, AgentRunResponse.of(run, closing, bags.ofRun(run)));
    }

    private void cancel(RunId run) {
        executions.find(run).ifPresent(execution -> execution.stop(StopReason.CLIENT_GONE));
    }
}
