package dev.satchel.server.node;

import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.schedule.Scheduler;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says every few seconds that this server is there and where, and knows the same of the others. */
public final class Nodes implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Nodes.class);
    private static final Duration HEARTBEAT = Duration.ofSeconds(5);

    /** Two heartbeats may get lost. */
    public static final Duration ALIVE = Duration.ofSeconds(15);

    private static final Duration FORGOTTEN = Duration.ofDays(7);

    private final Database database;
    private final NodeId self;
    private final InstantSource clock;
    private final NodeStore store = new NodeStore();
    private final Scheduler scheduler = new Scheduler("heartbeat");

    /** The clock must be the same for all servers. */
    public Nodes(Database database, NodeId self, InstantSource clock) {
        this.database = database;
        this.self = self;
        this.clock = clock;
    }

    public NodeId self() {
        return self;
    }

    /** From now on the others find us at this address. */
    public void announce(URI address) {
        beat(address);
        scheduler.every(HEARTBEAT, () -> beat(address));
        LOG.info("server joined nodeId={} address={}", self.value(), address);
    }

    /** Where another server is; empty when it has not been heard of lately. */
    public Optional<URI> address(NodeId node) {
        long since = clock.millis() - ALIVE.toMillis();
        return database.read(tx -> store.address(tx, node, since));
    }

    /** Whether a server has been heard of lately. */
    public boolean isAlive(Transaction tx, NodeId node, long now) {
        return store.address(tx, node, now - ALIVE.toMillis()).isPresent();
    }

    /** The others need not wait until our last heartbeat has grown old. */
    @Override
    public void close() {
        scheduler.close();
        try {
            database.change(tx -> store.leave(tx, self));
        } catch (RuntimeException e) {
            LOG.warn("the other servers are not told that this one goes", e);
        }
    }

    private void beat(URI address) {
        long now = clock.millis();
        database.change(
                tx -> {
                    store.announce(tx, self, address, now);
                    store.forget(tx, now - FORGOTTEN.toMillis());
                });
    }
}
