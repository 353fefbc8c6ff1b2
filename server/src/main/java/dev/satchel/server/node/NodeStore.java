package dev.satchel.server.node;

import dev.satchel.server.database.Transaction;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/** Rows of servers. */
final class NodeStore {
    private static final String ANNOUNCE =
            """
            INSERT INTO node (id, address, started_at, seen_at) VALUES (:id, :address, :now, :now)
            ON CONFLICT (id) DO UPDATE SET address = excluded.address, seen_at = excluded.seen_at
            """;

    private static final String RENEW = "UPDATE node SET seen_at = :now WHERE id = :id";

    private static final String ALIVE =
            "SELECT id, address FROM node WHERE seen_at >= :since ORDER BY id";

    private static final String ADDRESS =
            "SELECT address FROM node WHERE id = :id AND seen_at >= :since";

    private static final String SEEN_AT = "SELECT seen_at FROM node WHERE id = :id";

    private static final String LEAVE = "DELETE FROM node WHERE id = :id";

    private static final String DELETE_OLD = "DELETE FROM node WHERE seen_at < :before";

    void announce(Transaction tx, NodeId id, URI address, long now) {
        tx.update(ANNOUNCE)
                .bind("id", id.value())
                .bind("address", address.toString())
                .bind("now", now)
                .execute();
    }

    /** False when the row is gone, so that it has to be announced again. */
    boolean renew(Transaction tx, NodeId id, long now) {
        return tx.update(RENEW).bind("id", id.value()).bind("now", now).execute() == 1;
    }

    List<Peer> alive(Transaction tx, long since) {
        return tx.query(ALIVE)
                .bind("since", since)
                .map(
                        (row, _) ->
                                new Peer(
                                        new NodeId(row.getString("id")),
                                        URI.create(row.getString("address"))))
                .list();
    }

    /** When a server was last alive; 0 when it has left. */
    long seenAt(Transaction tx, NodeId id) {
        return tx.query(SEEN_AT).bind("id", id.value()).mapTo(Long.class).findOne().orElse(0L);
    }

    Optional<URI> address(Transaction tx, NodeId id, long since) {
        return tx.query(ADDRESS)
                .bind("id", id.value())
                .bind("since", since)
                .mapTo(String.class)
                .findOne()
                .map(URI::create);
    }

    void leave(Transaction tx, NodeId id) {
        tx.update(LEAVE).bind("id", id.value()).execute();
    }

    void deleteOld(Transaction tx, long before) {
        tx.update(DELETE_OLD).bind("before", before).execute();
    }
}
