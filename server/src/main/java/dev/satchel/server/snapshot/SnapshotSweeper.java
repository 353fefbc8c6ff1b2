package dev.satchel.server.snapshot;

import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.database.Database;
import dev.satchel.server.objectstore.ListedObject;
import dev.satchel.server.objectstore.ObjectKey;
import dev.satchel.server.objectstore.ObjectStore;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes objects of snapshots that were not completed, when they are old enough. */
public final class SnapshotSweeper {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotSweeper.class);
    private static final Duration MIN_AGE = Duration.ofHours(24);

    /** The prefix, the tenant and the conversation. */
    private static final int LEADING_SEGMENTS = 3;

    private final Database database;
    private final SnapshotStore store;
    private final ObjectStore objects;
    private final Clock clock;

    public SnapshotSweeper(
            Database database, SnapshotStore store, ObjectStore objects, Clock clock) {
        this.database = database;
        this.store = store;
        this.objects = objects;
        this.clock = clock;
    }

    public void sweep() {
        Instant old = clock.instant().minus(MIN_AGE);
        try (Stream<ListedObject> all = objects.list(Snapshot.PREFIX + "/")) {
            List<ObjectKey> candidates =
                    all.filter(object -> object.modified().isBefore(old))
                            .map(ListedObject::key)
                            .toList();
            for (ObjectKey key : candidates) {
                if (!isNeeded(key)) {
                    objects.delete(key);
                }
            }
        } catch (IOException e) {
            LOG.warn("cannot sweep the objects of snapshots", e);
        }
    }

    private boolean isNeeded(ObjectKey key) {
        List<String> segments = key.segments();
        if (segments.size() <= LEADING_SEGMENTS || !ConversationId.isValid(segments.get(2))) {
            return true; // not an object of a snapshot
        }
        ConversationId conversation = new ConversationId(segments.get(2));
        String name = String.join("/", segments.subList(LEADING_SEGMENTS, segments.size()));
        Set<String> needed = new HashSet<>();
        for (Snapshot snapshot : database.read(tx -> store.all(tx, conversation))) {
            needed.addAll(SnapshotService.names(snapshot));
        }
        return needed.contains(name);
    }
}
