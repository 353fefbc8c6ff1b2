package dev.satchel.server.turn;

import dev.satchel.http.IdempotentOperation;
import dev.satchel.server.access.Caller;
import dev.satchel.server.agent.Agent;
import dev.satchel.server.agent.AgentId;
import dev.satchel.server.agent.AgentService;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.execution.RunLauncher;
import dev.satchel.server.run.Run;
import dev.satchel.server.run.RunSetup;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Starts headless runs: of a saved agent, without a conversation. */
public final class AgentRunService {
    /** Without a conversation no other run follows, so the generation never grows. */
    private static final long ONLY_GENERATION = 1;

    private final Database database;
    private final AgentService agents;
    private final RunLauncher launcher;

    public AgentRunService(Database database, AgentService agents, RunLauncher launcher) {
        this.database = database;
        this.agents = agents;
        this.launcher = launcher;
    }

    /** As {@link TurnService#start}: a repeated request returns the run of the first. */
    Run start(
            Caller caller, AgentId agent, String prompt, @Nullable IdempotentOperation operation) {
        Optional<Run> earlier = launcher.findStarted(caller, operation);
        if (earlier.isPresent()) {
            return earlier.get();
        }
        launcher.requireReady(Optional.empty());
        RunId id = RunLauncher.runId(operation);
        RunLauncher.Prepared run =
                database.write(tx -> launcher.prepare(tx, newRun(tx, caller, agent, prompt, id)));
        return launcher.start(run, operation);
    }

    private RunLauncher.NewRun newRun(
            Transaction tx, Caller caller, AgentId id, String prompt, RunId run) {
        Agent agent = agents.get(tx, caller, id);
        return new RunLauncher.NewRun(
                run,
                caller.tenant(),
                null,
                null,
                id,
                ONLY_GENERATION,
                prompt,
                RunSetup.of(agent.spec()));
    }
}
