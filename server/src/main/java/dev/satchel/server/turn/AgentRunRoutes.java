package dev.satchel.server.turn;

import dev.satchel.http.Exchange;
import dev.satchel.http.IdempotentOperation;
import dev.satchel.http.Router;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import dev.satchel.server.agent.AgentId;
import dev.satchel.server.approval.AnswerService;
import dev.satchel.server.bag.BagService;
import dev.satchel.server.conversation.RunConversationStore;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.execution.Executions;
import dev.satchel.server.run.Run;
import dev.satchel.server.runlog.EventPosition;
import dev.satchel.server.runlog.RunLogLine;
import dev.satchel.server.runlog.RunLogStreamer;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code POST /api/agents/{id}/runs}: the lines of the run as NDJSON, or its answer at the end. */
public final class AgentRunRoutes {
    private final AgentRunService runs;
    private final AgentRunFiles files;
    private final Executions executions;
    private final RunLogStreamer streamer;
    private final Results results;
    private final Authentication access;

    /** What a run has made, and what it waits for. */
    public record Results(BagService bags, AnswerService asks) {
        AgentRunResponse of(RunId run, List<RunLogLine> closing) {
            return AgentRunResponse.isWaiting(closing)
                    ? AgentRunResponse.waiting(run, asks.open(RunConversationStore.idOf(run)))
                    : AgentRunResponse.of(run, closing, bags.ofRun(run));
        }
    }

    public AgentRunRoutes(
            AgentRunService runs,
            AgentRunFiles files,
            Executions executions,
            RunLogStreamer streamer,
            Results results,
            Authentication access) {
        this.runs = runs;
        this.files = files;
        this.executions = executions;
        this.streamer = streamer;
        this.results = results;
        this.access = access;
    }

    public void addTo(Router router) {
        router.post(
                "/api/agents/{id}/runs", access.requireCaller(Permission.WRITE_CHATS, this::run));
    }

    private void run(Exchange exchange, Caller caller) throws IOException, InterruptedException {
        AgentId agent = AgentId.of(exchange);
        @Nullable IdempotentOperation operation = exchange.operation().orElse(null);
        Optional<Run> earlier = runs.findStarted(caller, agent, operation);
        AgentRunFiles.Received received = files.read(exchange, caller);
        RunId run = runs.start(caller, agent, received, earlier, operation).id();
        received.request()
                .onDisconnect(operation != null)
                .apply(executions, streamer.readers(), exchange, run);
        if (EventPosition.wantsNdjson(exchange)) {
            streamer.lines(exchange, run);
            return;
        }
        List<RunLogLine> closing = streamer.awaitEnd(exchange, run);
        exchange.json(200, results.of(run, closing));
    }
}
