package dev.satchel.server.execution;

import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import dev.satchel.server.run.Run;
import dev.satchel.server.runlog.RunRoutes;
import java.util.Map;

/** {@code POST /api/runs/{runId}/cancel}: cancels a run, also when it has ended already. */
public final class CancelRoutes {
    private final RunRoutes runs;
    private final Executions executions;
    private final Authentication access;

    public CancelRoutes(RunRoutes runs, Executions executions, Authentication access) {
        this.runs = runs;
        this.executions = executions;
        this.access = access;
    }

    public void addTo(Router router) {
        router.post(
                "/api/runs/{runId}/cancel",
                access.requireCaller(Permission.WRITE_CHATS, this::cancel));
    }

    private void cancel(Exchange exchange, Caller caller) throws InterruptedException {
        Run run = runs.find(exchange, caller);
        boolean running = run.status().isActive();
        if (running) {
            executions.stop(run, StopReason.CANCELLED);
        }
        exchange.json(202, Map.of("cancelled", running));
    }
}
