package dev.satchel.server.execution;

import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Signals;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.node.NodeId;
import dev.satchel.server.run.Run;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.run.RunStore;
import dev.satchel.server.workspace.WorkspaceHomes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs begun on one server and run by another, because their workspace lies on its disk. Nothing
 * but the database is between the two: an offer is a word in the run's row and a signal.
 */
public final class RunForwarding {
    private static final Logger LOG = LoggerFactory.getLogger(RunForwarding.class);
    private static final String TOPIC = "runs-for-";

    /** Longer than a server takes that has to look for itself, because no signal came. */
    private static final Duration OFFER_STANDS = Duration.ofSeconds(3);

    private final Database database;
    private final Signals signals;
    private final WorkspaceHomes homes;
    private final RunStore runs;
    private final RunLease lease;

    public RunForwarding(
            Database database,
            Signals signals,
            WorkspaceHomes homes,
            RunStore runs,
            RunLease lease) {
        this.database = database;
        this.signals = signals;
        this.homes = homes;
        this.runs = runs;
        this.lease = lease;
    }

    NodeId self() {
        return homes.self();
    }

    /** Offers a run that was just made to the server that has its files; empty when we have. */
    Optional<NodeId> offer(Transaction tx, RunId run, ConversationId conversation, long now) {
        Optional<NodeId> home = homes.elsewhere(tx, conversation, now);
        home.ifPresent(node -> runs.forward(tx, run, node));
        return home;
    }

    /**
     * After the commit. A server that is alive but does not take its run keeps nobody waiting: then
     * the offer is taken back.
     */
    void tell(NodeId node, Runnable takeBack) {
        signals.send(TOPIC + node.value());
        Thread.ofVirtual()
                .name("offered-run")
                .start(
                        () -> {
                            try {
                                Thread.sleep(OFFER_STANDS);
                                takeBack.run();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            } catch (RuntimeException e) {
                                LOG.warn("an offered run is left to others", e);
                            }
                        });
    }

    void onOffer(Runnable listener) {
        String ours = TOPIC + homes.self().value();
        signals.listen(
                topic -> {
                    if (topic.equals(ours)) {
                        Thread.ofVirtual().name("handover").start(listener);
                    }
                });
    }

    List<RunId> offeredToUs() {
        return database.read(tx -> runs.forwardedTo(tx, homes.self()));
    }

    /** Makes a run ours that was offered to this server; empty when another has it by now. */
    <T> Optional<T> take(RunId id, NodeId offeredTo, BiFunction<Transaction, Run, T> then) {
        return database.write(
                tx ->
                        runs.takeForwarded(tx, id, offeredTo, lease.owner(), lease.until(lease.now(tx)))
                                ? runs.find(tx, id).map(run -> then.apply(tx, run))
                                : Optional.empty());
    }
}
