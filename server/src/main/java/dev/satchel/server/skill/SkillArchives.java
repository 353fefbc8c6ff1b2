package dev.satchel.server.skill;

import dev.satchel.http.BoundedInputStream;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.objectstore.ObjectKey;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.objectstore.StoredObject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The archives of skills in the object store. */
final class SkillArchives {
    private static final Logger LOG = LoggerFactory.getLogger(SkillArchives.class);

    /** How many archives are unpacked in memory at a time. */
    private static final int UNPACKED = 4;

    private final ObjectStore objects;
    private final SkillLimits limits;
    private final BuiltInSkills builtIn;
    private final Semaphore unpacking = new Semaphore(UNPACKED);

    SkillArchives(ObjectStore objects, SkillLimits limits, BuiltInSkills builtIn) {
        this.objects = objects;
        this.limits = limits;
        this.builtIn = builtIn;
    }

    /** A received skill whose archive is stored under the id, without a row so far. */
    record Received(String id, SkillContent content, StoredObject stored) {}

    /**
     * Stores an upload as it comes, so that a slow client needs no memory, then unpacks and checks
     * it, and stores it in its own form.
     */
    Received receive(TenantId tenant, InputStream upload) throws IOException, InterruptedException {
        ObjectKey asSent = key(tenant, UUID.randomUUID().toString());
        try {
            objects.put(
                    asSent,
                    BoundedInputStream.refusingMoreThan(upload, limits.maxBytes(), "the archive"));
            return unpack(tenant, asSent);
        } finally {
            discard(asSent);
        }
    }

    private Received unpack(TenantId tenant, ObjectKey asSent)
            throws IOException, InterruptedException {
        unpacking.acquire();
        try {
            byte[] sent;
            try (InputStream in = objects.open(asSent)) {
                sent = in.readAllBytes();
            }
            SkillContent content = new SkillArchiveReader(limits).read(sent);
            String id = UUID.randomUUID().toString();
            byte[] archive = content.archive();
            StoredObject stored = objects.put(key(tenant, id), new ByteArrayInputStream(archive));
            return new Received(id, content, stored);
        } finally {
            unpacking.release();
        }
    }

    /** The archive of a version; the caller closes it. */
    InputStream open(TenantId tenant, SkillReference skill) throws IOException {
        if (!skill.builtIn()) {
            return objects.open(key(tenant, skill.id()));
        }
        ObjectKey key = Skill.builtInKey(skill.sha256());
        byte[] archive = builtIn.archive(skill.name(), skill.sha256()).orElse(null);
        if (archive == null) {
            return objects.open(key);
        }
        if (objects.size(key).isEmpty()) { // for a run that is continued by the next release
            objects.put(key, new ByteArrayInputStream(archive));
        }
        return new ByteArrayInputStream(archive);
    }

    /** Without an error: the sweep deletes what stays. */
    void discard(TenantId tenant, String id) {
        discard(key(tenant, id));
    }

    private void discard(ObjectKey key) {
        try {
            objects.delete(key);
        } catch (IOException e) {
            LOG.warn("the archive of a skill stays for the sweep key={}", key, e);
        }
    }

    private static ObjectKey key(TenantId tenant, String id) {
        return ObjectKey.of(Skill.AREA, tenant.value(), id);
    }
}
