package dev.satchel.server.snapshot;

import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.database.Database;
import dev.satchel.server.objectstore.ListedObject;
import dev.satchel.server.objectstore.ObjectKey;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.snapshot.SnapshotStore.NeededObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
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

    private static final int MAX_OBJECTS = 1000;

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

    /** Reads the objects page by page, with one query for each page. */
    public void sweep() {
        Instant old = clock.instant().minus(MIN_AGE);
        try (Stream<ListedObject> all = objects.list(Snapshot.PREFIX + "/")) {
            Page page = new Page();
            for (Iterator<ListedObject> each = all.iterator(); each.hasNext(); ) {
                ListedObject object = each.next();
                if (object.modified().isBefore(old)) {
                    page.add(object.key());
                }
                if (page.isFull() || !each.hasNext()) {
                    page.deleteUnneeded();
                    page = new Page();
                }
            }
        } catch (IOException | UncheckedIOException e) {
            LOG.warn("cannot sweep the objects of snapshots", e);
        }
    }

    /** Objects of some conversations. */
    private final class Page {
        private final Set<ConversationId> conversations = new LinkedHashSet<>();
        private final Map<ObjectKey, NeededObject> keys = new LinkedHashMap<>();

        void add(ObjectKey key) {
            List<String> segments = key.segments();
            if (segments.size() <= LEADING_SEGMENTS || !ConversationId.isValid(segments.get(2))) {
                return; // not an object of a snapshot
            }
            String name = String.join("/", segments.subList(LEADING_SEGMENTS, segments.size()));
            conversations.add(new ConversationId(segments.get(2)));
            keys.put(key, new NeededObject(segments.get(2), name));
        }

        boolean isFull() {
            return conversations.size() == SnapshotStore.MAX_CONVERSATIONS
                    || keys.size() == MAX_OBJECTS;
        }

        void deleteUnneeded() throws IOException {
            if (keys.isEmpty()) {
                return;
            }
            Set<NeededObject> needed =
                    database.read(tx -> store.objects(tx, List.copyOf(conversations)));
            for (Map.Entry<ObjectKey, NeededObject> object : keys.entrySet()) {
                if (!needed.contains(object.getValue())) {
                    objects.delete(object.getKey());
                }
            }
        }
    }
}
