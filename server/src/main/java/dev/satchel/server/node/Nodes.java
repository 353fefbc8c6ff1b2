package dev.satchel.server.node;

import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.schedule.ContactGap;
import dev.satchel.server.schedule.Scheduler;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Records every few seconds that this server is alive, and finds the addresses of others. */
public final class Nodes implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Nodes.class);
    private static final Duration HEARTBEAT = Duration.ofSeconds(5);

    /** Two heartbeats may be missed. */
    public static final Duration ALIVE = Duration.ofSeconds(15);

    /** How long others have for a heartbeat after a gap. */
    private static final Duration RENEWAL = Duration.ofSeconds(10);

    private static final Duration DELETED_AFTER = Duration.ofDays(7);

    private final Database database;
    private final NodeId self;
    private final InstantSource clock;
    private final ContactGap gap;
    private final NodeStore store = new NodeStore();
    private final Scheduler scheduler = new Scheduler("heartbeat");

    /** All servers must use the same clock; {@code steady} measures durations. */
    public Nodes(Database database, NodeId self, InstantSource clock, InstantSource steady) {
        this.database = database;
        this.self = self;
        this.clock = clock;
        this.gap = new ContactGap(RENEWAL, steady);
    }

    public NodeId self() {
        return self;
    }

    /** From now on the other servers find this one at this address. */
    public void announce(URI address) {
        announceNow(address);
        scheduler.every(HEARTBEAT, () -> sendHeartbeat(address));
        LOG.info("server joined nodeId={} address={}", self.value(), address);
    }

    /** Another server; empty if it has sent no heartbeat lately. */
    public Optional<Peer> find(NodeId node) {
        long since = since(clock.millis());
        return database.read(tx -> store.address(tx, node, since))
                .map(address -> new Peer(node, address));
    }

    /** All other servers that have sent a heartbeat lately. */
    public List<Peer> others() {
        long since = since(clock.millis());
        return database.read(tx -> store.alive(tx, since)).stream()
                .filter(peer -> !peer.id().equals(self))
                .toList();
    }

    /** When a server last sent a heartbeat, by the clock of all servers; 0 when it has left. */
    public long seenAt(NodeId node) {
        return database.read(tx -> store.seenAt(tx, node));
    }

    /** Whether a server has sent a heartbeat lately. */
    public boolean isAlive(Transaction tx, NodeId node, long now) {
        return store.address(tx, node, since(now)).isPresent();
    }

    /** After an outage of the database the others first have time to send a heartbeat. */
    private long since(long now) {
        return gap.judge(now) - ALIVE.toMillis();
    }

    /** Removes this server, so that others need not wait until its heartbeat expires. */
    @Override
    public void close() {
        scheduler.close();
        try {
            database.change(tx -> store.leave(tx, self));
        } catch (RuntimeException e) {
            LOG.warn("cannot remove this server from the list of servers", e);
        }
    }

    private void announceNow(URI address) {
        long now = clock.millis();
        database.change(
                tx -> {
                    store.announce(tx, self, address, now);
                    store.deleteOld(tx, now - DELETED_AFTER.toMillis());
                });
    }

    private void sendHeartbeat(URI address) {
        long now = clock.millis();
        long _ = gap.judge(now); // the database has answered
        if (!database.write(tx -> store.renew(tx, self, now))) {
            announceNow(address);
        }
    }
}
