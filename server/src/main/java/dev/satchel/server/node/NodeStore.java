package dev.satchel.server.node;

import dev.satchel.server.database.Transaction;
import java.net.URI;
import java.util.Optional;

/** Rows of servers. */
final class NodeStore {
    private static final String ANNOUNCE =
            """
            INSERT INTO node (id, address, started_at, seen_at) VALUES (:id, :address, :now, :now)
            ON CONFLICT (id) DO UPDATE SET address = excluded.address, seen_at = excluded.seen_at
            """;

    private static final String ADDRESS =
            "SELECT address FROM node WHERE id = :id AND seen_at >= :since";

    private static final String LEAVE = "DELETE FROM node WHERE id = :id";

    private static final String DELETE_OLD = "DELETE FROM node WHERE seen_at < :before";

    void announce(Transaction tx, NodeId id, URI address, long now) {
        tx.update(ANNOUNCE)
                .bind("id", id.value())
                .bind("address", address.toString())
                .bind("now", now)
                .execute();
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
