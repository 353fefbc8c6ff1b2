package dev.satchel.server.snapshot;

import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.MessageTree;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.objectstore.ObjectStoreUnavailableException;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes old snapshots and their objects. */
final class SnapshotPruner {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotPruner.class);

    private final Database database;
    private final SnapshotStore store;
    private final ObjectStore objects;
    private final SnapshotRetention retention;
    private final Clock clock;

    SnapshotPruner(
            Database database,
            SnapshotStore store,
            ObjectStore objects,
            SnapshotRetention retention,
            Clock clock) {
        this.database = database;
        this.store = store;
        this.objects = objects;
        this.retention = retention;
        this.clock = clock;
    }

    /** Deletes snapshots beyond the retention, and objects that no other snapshot needs. */
    void prune(ConversationId conversation) throws IOException {
        List<Snapshot> all = database.read(tx -> store.all(tx, conversation));
        Set<Snapshot> kept = new HashSet<>(retention.kept(all, clock.millis()));
        if (kept.size() == all.size()) {
            return;
        }
        Set<SnapshotId> used = new HashSet<>(database.read(tx -> ofPlaces(tx, conversation)));
        used.addAll(database.read(tx -> store.shared(tx, conversation)));
        all.stream().filter(it -> used.contains(it.id())).forEach(kept::add);
        Set<String> needed = new HashSet<>();
        for (Snapshot snapshot : kept) {
            needed.addAll(names(snapshot));
        }
        for (Snapshot removed : all) {
            if (kept.contains(removed)) {
                continue;
            }
            // no other snapshot needs it, and it is deleted once
            List<String> unneeded = names(removed).stream().filter(needed::add).toList();
            if (database.write(tx -> store.delete(tx, removed, unneeded))) {
                deleteObjects(removed, unneeded);
            }
        }
    }

    /**
     * The snapshots that the files of the beginning, of each tip of a branch and of each question
     * are in. Without them the older files of the answer before would be taken for those of a
     * question.
     */
    private Set<SnapshotId> ofPlaces(Transaction tx, ConversationId conversation) {
        MessageTree tree = store.tree(tx, conversation);
        Map<Long, SnapshotId> newest = new TreeMap<>(Comparator.reverseOrder());
        Set<Long> always = new HashSet<>(Set.of(0L));
        for (SnapshotStore.Placed each : store.placed(tx, conversation)) {
            newest.put(each.message(), each.id());
            if (each.isOfQuestion()) {
                always.add(each.message());
            }
        }
        for (MessageTree.Span branch : tree.branches()) {
            if (tree.children(branch.last()).isEmpty()) {
                newest.keySet().stream()
                        .filter(at -> tree.isOnPath(at, branch.last()))
                        .findFirst()
                        .ifPresent(always::add);
            }
        }
        newest.keySet().retainAll(always);
        return new HashSet<>(newest.values());
    }

    /** What stays is found by the sweep, since it has no row. */
    private void deleteObjects(Snapshot removed, List<String> names) throws IOException {
        try {
            for (String name : names) {
                objects.delete(removed.key(name));
            }
        } catch (ObjectStoreUnavailableException e) {
            LOG.debug("old snapshots are left to the sweep reason={}", e.getMessage());
        }
    }

    private static List<String> names(Snapshot snapshot) {
        List<String> names = new ArrayList<>();
        names.add(snapshot.manifest());
        snapshot.packs().forEach(pack -> names.add(pack.name()));
        return names;
    }
}
