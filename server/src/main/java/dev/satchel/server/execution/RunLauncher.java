package dev.satchel.server.execution;

import dev.satchel.protocol.Json;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.callback.DispatchFactory;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.node.NodeId;
import dev.satchel.server.run.Run;
import dev.satchel.server.run.RunId;
import dev.satchel.server.run.RunLogLine;
import dev.satchel.server.run.RunSetup;
import dev.satchel.server.run.RunStatus;
import dev.satchel.server.run.RunStore;
import dev.satchel.server.run.RunTokens;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes runs: the row, its tokens and its first line in the caller's transaction, the start after
 * the commit.
 */
public final class RunLauncher {
    private final RunStore runs;
    private final RunTokens tokens;
    private final Executions executions;
    private final DispatchFactory dispatches;
    private final RunLease lease;
    private final Optional<RunForwarding> handovers;

    public RunLauncher(
            RunStore runs,
            RunTokens tokens,
            Executions executions,
            DispatchFactory dispatches,
            RunLease lease,
            Optional<RunForwarding> handovers) {
        this.runs = runs;
        this.tokens = tokens;
        this.executions = executions;
        this.dispatches = dispatches;
        this.lease = lease;
        this.handovers = handovers;
        handovers.ifPresent(it -> it.onOffer(this::takeOffered));
    }

    /** What a run is made of. */
    public record Draft(
            RunId id,
            TenantId tenant,
            @Nullable ConversationId conversation,
            @Nullable String userMessageId,
            @Nullable String agentId,
            long generation,
            String prompt,
            RunSetup setup,
            List<String> bagFileIds) {
        public Draft {
            bagFileIds = List.copyOf(bagFileIds);
        }
    }

    /** A run that is stored but not yet on its way. */
    public sealed interface Prepared {
        Run run();
    }

    private record ForUs(Run run, RunTokens.Minted tokens) implements Prepared {}

    private record Offered(Run run, NodeId to) implements Prepared {}

    public Prepared prepare(Transaction tx, Draft draft) {
        long now = lease.now(tx);
        RunLogLine first = firstLine(draft);
        Run run =
                new Run(
                        draft.id(),
                        draft.tenant(),
                        draft.conversation(),
                        draft.userMessageId(),
                        draft.agentId(),
                        draft.generation(),
                        draft.prompt(),
                        draft.setup(),
                        draft.bagFileIds(),
                        RunStatus.RUNNING,
                        lease.owner(),
                        lease.until(now),
                        first.seq(),
                        now,
                        null);
        runs.insert(tx, run);
        runs.writeLines(tx, run.id(), List.of(first));
        Optional<NodeId> home = offer(tx, draft, now);
        return home.isPresent() ? new Offered(run, home.get()) : forUs(tx, run, now);
    }

    /** After the commit. */
    public Run start(Prepared prepared) {
        switch (prepared) {
            case ForUs ours ->
                    executions.start(
                            ours.run(), () -> dispatches.dispatch(ours.run(), ours.tokens()));
            case Offered offered ->
                    handovers
                            .orElseThrow()
                            .tell(offered.to(), () -> take(offered.run().id(), offered.to()));
        }
        return prepared.run();
    }

    /** Runs what others have begun and whose files lie here. */
    public void takeOffered() {
        if (handovers.isPresent() && executions.takesOffers()) {
            handovers.get().offeredToUs().forEach(id -> take(id, handovers.get().self()));
        }
    }

    private void take(RunId id, NodeId offeredTo) {
        if (executions.takesOffers()) {
            handovers
                    .orElseThrow()
                    .take(id, offeredTo, (tx, run) -> forUs(tx, run, lease.now(tx)))
                    .ifPresent(this::start);
        }
    }

    private Prepared forUs(Transaction tx, Run run, long now) {
        return new ForUs(run, tokens.mint(tx, run.id(), run.generation(), now));
    }

    private Optional<NodeId> offer(Transaction tx, Draft draft, long now) {
        ConversationId conversation = draft.conversation();
        return conversation == null
                ? Optional.empty()
                : handovers.flatMap(it -> it.offer(tx, draft.id(), conversation, now));
    }

    /** Every stream opens with where it belongs. */
    private static RunLogLine firstLine(Draft draft) {
        Map<String, Object> body = new LinkedHashMap<>();
        ConversationId conversation = draft.conversation();
        if (conversation != null) {
            body.put("type", "chat");
            body.put("chatId", conversation.value());
            String message = draft.userMessageId();
            if (message != null) { // a command has none
                body.put("messageId", message);
            }
        } else {
            body.put("type", "run");
            body.put("agentId", String.valueOf(draft.agentId()));
        }
        body.put("runId", draft.id().value());
        return new RunLogLine(
                1, String.valueOf(body.get("type")), Json.MAPPER.writeValueAsString(body));
    }
}
