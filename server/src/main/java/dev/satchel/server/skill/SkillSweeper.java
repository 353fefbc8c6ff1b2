package dev.satchel.server.skill;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.database.Database;
import dev.satchel.server.objectstore.ListedObject;
import dev.satchel.server.objectstore.ObjectStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes the bytes of deleted skills that no run needs any more, and what a crash has left:
 * objects without a row.
 */
public final class SkillSweeper {
    private static final Logger LOG = LoggerFactory.getLogger(SkillSweeper.class);

    /** Longer than any transaction takes that starts a run with the version. */
    private static final Duration DELETED_FOR = Duration.ofHours(1);

    /** Longer than any upload takes. */
    private static final Duration MIN_AGE = Duration.ofHours(24);

    private final Database database;
    private final SkillStore store;
    private final ObjectStore objects;
    private final SkillUses.Runs runs;
    private final Clock clock;

    public SkillSweeper(
            Database database,
            SkillStore store,
            ObjectStore objects,
            SkillUses.Runs runs,
            Clock clock) {
        this.database = database;
        this.store = store;
        this.objects = objects;
        this.runs = runs;
        this.clock = clock;
    }

    public void sweep() {
        long before = clock.millis() - DELETED_FOR.toMillis();
        List<Skill> hidden = database.read(tx -> store.hidden(tx, before, ""));
        while (!hidden.isEmpty()) {
            hidden.forEach(this::remove);
            String last = hidden.getLast().reference().id();
            hidden = database.read(tx -> store.hidden(tx, before, last));
        }
        try (Stream<ListedObject> listed = objects.list(Skill.AREA + "/")) {
            Instant old = clock.instant().minus(MIN_AGE);
            listed.filter(object -> !object.modified().isAfter(old)).forEach(this::removeOrphan);
        } catch (IOException | UncheckedIOException e) {
            LOG.warn("could not sweep the skills", e);
        }
    }

    private void remove(Skill skill) {
        TenantId tenant = skill.tenant();
        String id = skill.reference().id();
        if (tenant == null || database.read(tx -> runs.need(tx, tenant, id))) {
            return;
        }
        try {
            objects.delete(skill.key());
            database.change(tx -> store.removed(tx, id, clock.millis()));
        } catch (IOException e) {
            LOG.warn("could not delete a skill, the next sweep will id={}", id, e);
        }
    }

    private void removeOrphan(ListedObject object) {
        Optional<String> id = Skill.idOf(object.key());
        if (id.isEmpty() || database.read(tx -> store.hasBytes(tx, id.get()))) {
            return;
        }
        try {
            objects.delete(object.key());
        } catch (IOException e) {
            LOG.warn("could not delete an object without a row key={}", object.key(), e);
        }
    }
}
