package dev.satchel.server.skill;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.audit.AuditEvent;
import dev.satchel.server.objectstore.ObjectKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One version of a skill.
 *
 * @param tenant null for a skill that comes with Satchel
 * @param size the bytes of its stored archive
 */
record Skill(
        SkillReference reference,
        @Nullable TenantId tenant,
        List<SkillContent.File> entries,
        long size,
        long createdAt) {
    static final String AREA = "skills";

    /** The folder of the skills that come with Satchel; no tenant has such an id. */
    private static final String BUILT_IN = "built-in";

    Skill {
        entries = List.copyOf(entries);
    }

    String name() {
        return reference.name();
    }

    ObjectKey key() {
        return tenant == null
                ? builtInKey(reference.sha256())
                : ObjectKey.of(AREA, tenant.value(), reference.id());
    }

    /** Where a skill that comes with Satchel is stored, for runs that outlive its release. */
    static ObjectKey builtInKey(String sha256) {
        return ObjectKey.of(AREA, BUILT_IN, sha256);
    }

    /** The id of the version that has this key; empty for a key that is not one of a tenant. */
    static Optional<String> idOf(ObjectKey key) {
        List<String> segments = key.segments();
        return segments.size() == 3 && !segments.get(1).equals(BUILT_IN)
                ? Optional.of(segments.get(2))
                : Optional.empty();
    }

    static AuditEvent event(TenantId tenant, AuditEvent.Action action, String name, long version) {
        return new AuditEvent(
                tenant,
                null,
                null,
                action,
                name,
                AuditEvent.Outcome.ALLOWED,
                Map.of("what", "skill", "version", String.valueOf(version)));
    }
}
