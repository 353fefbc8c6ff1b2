package dev.satchel.server.execution;

import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.database.Signals;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.node.NodeId;
import dev.satchel.server.workspace.WorkspaceHomes;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forwards runs to the node whose disk has their workspace. The nodes communicate through the
 * database only: the run's row names the node, and a signal makes the node look.
 */
public final class RunForwarding {
    private static final Logger LOG = LoggerFactory.getLogger(RunForwarding.class);
    private static final String TOPIC = "runs-for-";

    /** Longer than a node needs that polls because the signal was lost. */
    private static final Duration ACCEPT_TIMEOUT = Duration.ofSeconds(3);

    private final Signals signals;
    private final WorkspaceHomes homes;

    public RunForwarding(Signals signals, WorkspaceHomes homes) {
        this.signals = signals;
        this.homes = homes;
    }

    NodeId self() {
        return homes.self();
    }

    /** The other node that has the workspace of a conversation; empty when this one may run. */
    Optional<NodeId> target(Transaction tx, ConversationId conversation, long now) {
        return homes.elsewhere(tx, conversation, now);
    }

    /**
     * Signals a node after the commit that forwarded a run to it. A node that is alive but does not
     * take the run delays it only for a short time: then the run is taken back.
     */
    void signal(NodeId node, Runnable takeBack) {
        signals.send(TOPIC + node.value());
        Thread.ofVirtual()
                .name("forwarded-run")
                .start(
                        () -> {
                            try {
                                Thread.sleep(ACCEPT_TIMEOUT);
                                attempt(takeBack);
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                        });
    }

    /** Calls the listener when another node has forwarded a run to this one. */
    void onForwarded(Runnable listener) {
        String own = TOPIC + homes.self().value();
        signals.listen(
                topic -> {
                    if (topic.equals(own)) {
                        Thread.ofVirtual().name("forwarded-run").start(() -> attempt(listener));
                    }
                });
    }

    /** After a failure the server that forwarded the run takes it back. */
    private static void attempt(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException e) {
            LOG.warn("a forwarded run could not be taken", e);
        }
    }
}
