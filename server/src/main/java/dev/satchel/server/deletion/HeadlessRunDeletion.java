package dev.satchel.server.deletion;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.conversation.RunConversationStore;
import dev.satchel.server.database.Database;
import dev.satchel.server.execution.Executions;
import dev.satchel.server.execution.StopReason;
import dev.satchel.server.run.Run;
import dev.satchel.server.runlog.RunRoutes;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code DELETE /api/runs/{runId}}: deletes a headless run for good, with its files, workspace and
 * log. It also deletes what a server that died has left of runs that it did not start.
 */
public final class HeadlessRunDeletion {
    private static final Logger LOG = LoggerFactory.getLogger(HeadlessRunDeletion.class);
    private static final Duration ABANDONED_AFTER = Duration.ofHours(24);

    private final Database database;
    private final RunConversationStore conversations;
    private final Executions executions;
    private final ConversationDeletion deletion;
    private final Clock clock;

    public HeadlessRunDeletion(
            Database database,
            RunConversationStore conversations,
            Executions executions,
            ConversationDeletion deletion,
            Clock clock) {
        this.database = database;
        this.conversations = conversations;
        this.executions = executions;
        this.deletion = deletion;
        this.clock = clock;
    }

    public void addTo(Router router, RunRoutes runs, Authentication access) {
        router.delete(
                "/api/runs/{runId}",
                access.requireCaller(
                        Permission.WRITE_CHATS,
                        (exchange, caller) ->
                                delete(exchange, caller, runs.find(exchange, caller))));
    }

    private void delete(Exchange exchange, Caller caller, Run run)
            throws IOException, InterruptedException {
        if (!run.isHeadless()) {
            throw new SatchelException(
                    ErrorCode.CONFLICT, "this run belongs to a chat: delete the chat");
        }
        if (run.status().isActive()) {
            executions.stop(run, StopReason.CANCELLED);
        }
        Optional<Conversation> conversation =
                database.read(tx -> conversations.findAny(tx, caller, run.conversation()));
        deletion.deleteRun(conversation.orElseThrow(RunRoutes::noSuchRun));
        exchange.send(204);
    }

    /** Deletes the conversations and files of runs whose server died before it started them. */
    public void sweep() {
        long before = clock.millis() - ABANDONED_AFTER.toMillis();
        List<Conversation> page = notStarted(before, Optional.empty());
        while (!page.isEmpty() && !Thread.currentThread().isInterrupted()) {
            page.forEach(this::delete);
            page = notStarted(before, Optional.of(page.getLast()));
        }
    }

    private List<Conversation> notStarted(long before, Optional<Conversation> after) {
        return database.read(tx -> conversations.notStarted(tx, before, after));
    }

    /** One that cannot be deleted does not keep the others. */
    private void delete(Conversation left) {
        try {
            deletion.deleteRun(left);
        } catch (IOException e) {
            LOG.warn("could not delete the files of a run runId={}", left.id().value(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
