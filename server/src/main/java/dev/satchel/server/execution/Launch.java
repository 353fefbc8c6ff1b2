package dev.satchel.server.execution;

import dev.satchel.protocol.Json;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.run.LeaseClock;
import dev.satchel.server.run.LoggedLine;
import dev.satchel.server.run.Run;
import dev.satchel.server.run.RunId;
import dev.satchel.server.run.RunSetup;
import dev.satchel.server.run.RunStatus;
import dev.satchel.server.run.RunStore;
import dev.satchel.server.run.RunTokens;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Makes runs: the row, its tokens and its first line in the caller's transaction, the start after
 * the commit.
 */
public final class Launch {
    private final RunStore runs;
    private final RunTokens tokens;
    private final Executions executions;
    private final Dispatches dispatches;
    private final Duration lease;
    private final LeaseClock leases;

    /** Names this server among others on the same database; a new one after each start. */
    private final String owner = UUID.randomUUID().toString();

    public Launch(
            RunStore runs,
            RunTokens tokens,
            Executions executions,
            Dispatches dispatches,
            Duration lease,
            LeaseClock leases) {
        this.runs = runs;
        this.tokens = tokens;
        this.executions = executions;
        this.dispatches = dispatches;
        this.lease = lease;
        this.leases = leases;
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
    public record Prepared(Run run, RunTokens.Minted tokens) {}

    public Prepared prepare(Transaction tx, Draft draft) {
        long now = leases.now(tx);
        LoggedLine first = firstLine(draft);
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
                        owner,
                        now + lease.toMillis(),
                        first.seq(),
                        now,
                        null);
        runs.insert(tx, run);
        runs.writeLines(tx, run.id(), List.of(first));
        return new Prepared(run, tokens.mint(tx, run.id(), run.generation(), now));
    }

    public Execution start(Prepared prepared) {
        return executions.start(
                prepared.run(), () -> dispatches.dispatch(prepared.run(), prepared.tokens()));
    }

    /** Every stream opens with where it belongs. */
    private static LoggedLine firstLine(Draft draft) {
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
        return new LoggedLine(
                1, String.valueOf(body.get("type")), Json.MAPPER.writeValueAsString(body));
    }
}
