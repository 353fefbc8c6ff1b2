package dev.satchel.server.turn;

import dev.satchel.http.IdempotentOperation;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.Caller;
import dev.satchel.server.agent.Agent;
import dev.satchel.server.agent.AgentId;
import dev.satchel.server.agent.AgentService;
import dev.satchel.server.bag.BagFile;
import dev.satchel.server.conversation.RunConversationStore;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.execution.RunLauncher;
import dev.satchel.server.run.Run;
import dev.satchel.server.run.RunSetup;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Starts headless runs: of a saved agent, without a chat. */
public final class AgentRunService {
    private final Database database;
    private final AgentService agents;
    private final RunLauncher launcher;
    private final RunConversationStore conversations;
    private final AgentRunFiles files;
    private final Clock clock;

    public AgentRunService(
            Database database,
            AgentService agents,
            RunLauncher launcher,
            RunConversationStore conversations,
            AgentRunFiles files,
            Clock clock) {
        this.database = database;
        this.agents = agents;
        this.launcher = launcher;
        this.conversations = conversations;
        this.files = files;
        this.clock = clock;
    }

    /**
     * The run that an earlier sending of the same request has started. Without one it refuses an
     * unknown agent, and every run when there is no sandbox, before files are read.
     */
    Optional<Run> findStarted(Caller caller, AgentId agent, @Nullable IdempotentOperation operation)
            throws IOException {
        Optional<Run> earlier = launcher.findStarted(caller, operation);
        if (earlier.isEmpty()) {
            Agent _ = database.read(tx -> agents.get(tx, caller, agent));
            launcher.requireReady(Optional.empty());
        }
        return earlier;
    }

    /**
     * Starts a run, unless there is an earlier one. Uploads that no run has claimed are deleted.
     */
    Run start(
            Caller caller,
            AgentId agent,
            AgentRunFiles.Received received,
            Optional<Run> earlier,
            @Nullable IdempotentOperation operation)
            throws IOException {
        try {
            if (earlier.isPresent()) {
                files.discard(received.uploads());
                return earlier.get();
            }
            return start(caller, agent, received.request(), operation);
        } catch (SatchelException refusal) {
            files.discard(received.uploads());
            throw refusal;
        }
    }

    private Run start(
            Caller caller,
            AgentId agent,
            AgentRunRequest request,
            @Nullable IdempotentOperation operation)
            throws IOException {
        launcher.requireModel(request.model());
        RunId id = RunLauncher.runId(operation);
        List<BagFile> given =
                request.fileIds().isEmpty() && request.assetIds().isEmpty()
                        ? List.of()
                        : files.claim(caller, id, request);
        RunLauncher.Prepared run =
                database.write(
                        tx -> {
                            RunLauncher.NewRun values =
                                    newRun(tx, caller, agent, id, request, given);
                            return launcher.prepare(tx, values);
                        });
        return launcher.start(run, operation);
    }

    private RunLauncher.NewRun newRun(
            Transaction tx,
            Caller caller,
            AgentId id,
            RunId run,
            AgentRunRequest request,
            List<BagFile> given) {
        Agent agent = agents.get(tx, caller, id);
        long generation = conversations.start(tx, caller, run, clock.millis());
        return new RunLauncher.NewRun(
                run,
                caller.tenant(),
                RunConversationStore.idOf(run),
                null,
                generation,
                request.prompt(given),
                RunSetup.of(agent).withModel(request.model()).onAsk(request.onAsk()),
                null);
    }
}
