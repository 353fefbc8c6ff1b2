package dev.satchel.server.skill;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Fields;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.AccessStore;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.audit.AuditEvent;
import dev.satchel.server.audit.AuditStore;
import dev.satchel.server.database.CommitUnknownException;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.objectstore.ObjectStore;
import java.io.IOException;
import java.io.InputStream;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * The skills of tenants, and those that come with Satchel. A skill of a tenant is used instead of
 * one that comes with Satchel and has the same name.
 */
public final class SkillService {
    private final Database database;
    private final Stores stores;
    private final SkillArchives archives;
    private final SkillUses uses;
    private final Clock clock;
    private final BuiltInSkills builtIn = new BuiltInSkills();
    private final AuditStore audit = new AuditStore();

    /** The rows of skills and of tenants, and the objects. */
    public record Stores(SkillStore skills, AccessStore tenants, ObjectStore objects) {}

    public SkillService(
            Database database, Stores stores, SkillUses uses, SkillLimits limits, Clock clock) {
        this.database = database;
        this.stores = stores;
        this.archives = new SkillArchives(stores.objects(), limits, builtIn);
        this.uses = uses;
        this.clock = clock;
    }

    /** The newest version of each skill, by name. */
    List<Skill> list(TenantId tenant) {
        return database.read(tx -> known(tx, tenant)).values().stream().toList();
    }

    private Map<String, Skill> known(Transaction tx, TenantId tenant) {
        Map<String, Skill> known = new TreeMap<>();
        builtIn.all().forEach(skill -> known.put(skill.name(), skill));
        stores.skills().list(tx, tenant).forEach(skill -> known.put(skill.name(), skill));
        return known;
    }

    Skill get(TenantId tenant, SkillName name) {
        return database.read(tx -> newest(tx, tenant, name)).orElseThrow(SkillService::noSuchSkill);
    }

    Skill get(TenantId tenant, SkillName name, long version) {
        return database.read(
                        tx ->
                                stores.skills().lastVersion(tx, tenant, name) > 0
                                        ? stores.skills().find(tx, tenant, name, version)
                                        : builtIn(name, version))
                .orElseThrow(SkillService::noSuchSkill);
    }

    private Optional<Skill> builtIn(SkillName name, long version) {
        return builtIn.find(name.value()).filter(skill -> skill.reference().version() == version);
    }

    /** A page of the versions below a number, the newest first. */
    List<Skill> versions(TenantId tenant, SkillName name, long before, int limit) {
        return database.read(
                tx -> {
                    Skill newest = newest(tx, tenant, name).orElseThrow(SkillService::noSuchSkill);
                    if (newest.reference().builtIn()) {
                        return newest.reference().version() < before
                                ? List.of(newest)
                                : List.<Skill>of();
                    }
                    return stores.skills().versions(tx, tenant, name, before, limit);
                });
    }

    private Optional<Skill> newest(Transaction tx, TenantId tenant, SkillName name) {
        return stores.skills().newest(tx, tenant, name).or(() -> builtIn.find(name.value()));
    }

    /** Fails when a request has more than an archive. */
    @FunctionalInterface
    interface EndCheck {
        void run() throws IOException;
    }

    /** Stores the next version of the skill that an archive has, if the request ends after it. */
    Skill upload(TenantId tenant, InputStream archive, EndCheck end)
            throws IOException, InterruptedException {
        SkillArchives.Received received = archives.receive(tenant, archive);
        try {
            end.run();
            return database.write(tx -> insert(tx, tenant, received));
        } catch (CommitUnknownException e) {
            throw e; // the row may exist
        } catch (IOException | RuntimeException e) {
            archives.discard(tenant, received.id());
            throw e;
        }
    }

    private Skill insert(Transaction tx, TenantId tenant, SkillArchives.Received received) {
        SkillContent content = received.content();
        stores.tenants().lockTenant(tx, tenant); // no two get the same version
        long version = stores.skills().lastVersion(tx, tenant, content.name()) + 1;
        Skill skill =
                new Skill(
                        new SkillReference(
                                received.id(),
                                content.name().value(),
                                version,
                                false,
                                content.description(),
                                received.stored().sha256(),
                                content.files().size(),
                                content.bytes()),
                        tenant,
                        content.entries(),
                        received.stored().size(),
                        clock.millis());
        stores.skills().insert(tx, tenant, skill);
        audit.add(
                tx,
                Skill.event(tenant, AuditEvent.Action.UPLOAD, skill.name(), version),
                skill.createdAt());
        return skill;
    }

    /**
     * Deletes all versions. It is refused while an agent names the skill, unless one that comes
     * with Satchel takes its place.
     */
    void delete(TenantId tenant, SkillName name) {
        Optional<Skill> standard = builtIn.find(name.value());
        database.change(
                tx -> {
                    stores.tenants().lockTenant(tx, tenant); // no agent may name it meanwhile
                    Optional<Skill> newest = stores.skills().newest(tx, tenant, name);
                    if (newest.isEmpty()) {
                        throw standard.isEmpty() ? noSuchSkill() : comesWithSatchel(name);
                    }
                    if (standard.isEmpty()) {
                        requireUnused(tx, tenant, name);
                    }
                    long now = clock.millis();
                    stores.skills().hide(tx, tenant, name, now);
                    audit.add(
                            tx,
                            Skill.event(
                                    tenant,
                                    AuditEvent.Action.DELETE,
                                    name.value(),
                                    newest.get().reference().version()),
                            now);
                });
    }

    private void requireUnused(Transaction tx, TenantId tenant, SkillName name) {
        List<String> agents = uses.agents().naming(tx, tenant, name.value());
        if (!agents.isEmpty()) {
            throw new SatchelException(
                    ErrorCode.CONFLICT,
                    "the skill %s is used by the agents %s: take it out of them first"
                            .formatted(name, String.join(", ", agents)));
        }
    }

    /** The text of {@code SKILL.md}. */
    String instructions(TenantId tenant, Skill skill) throws IOException {
        try (ZipInputStream zip = new ZipInputStream(open(tenant, skill.reference()))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                if (entry.getName().equals(SkillContent.INSTRUCTIONS)) {
                    return new String(zip.readAllBytes(), UTF_8);
                }
            }
        }
        throw new IllegalStateException(
                "a skill without instructions id=" + skill.reference().id());
    }

    /** The archive of a version as a zip; the caller closes it. */
    public InputStream open(TenantId tenant, SkillReference skill) throws IOException {
        return archives.open(tenant, skill);
    }

    /** Refuses names of skills that the tenant does not have, with the known ones. */
    public void requireKnown(Transaction tx, TenantId tenant, List<String> names) {
        if (names.isEmpty()) {
            return;
        }
        Map<String, Skill> known = known(tx, tenant);
        for (String name : names) {
            if (!known.containsKey(name)) {
                throw Fields.invalid(
                        "skills",
                        "has %s, which is not a skill; known are %s"
                                .formatted(name, String.join(", ", known.keySet())));
            }
        }
    }

    /** The newest versions of skills, and the names of those that do not exist any more. */
    public record Resolved(List<SkillReference> skills, List<String> missing) {}

    public Resolved resolve(Transaction tx, TenantId tenant, List<String> names) {
        List<SkillReference> found = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        for (String name : names) {
            newest(tx, tenant, new SkillName(name))
                    .ifPresentOrElse(
                            skill -> found.add(skill.reference()), () -> missing.add(name));
        }
        return new Resolved(List.copyOf(found), List.copyOf(missing));
    }

    static SatchelException noSuchSkill() {
        return new SatchelException(ErrorCode.NOT_FOUND, "no such skill");
    }

    private static SatchelException comesWithSatchel(SkillName name) {
        return new SatchelException(
                ErrorCode.FORBIDDEN, "the skill " + name + " comes with Satchel and stays");
    }
}
