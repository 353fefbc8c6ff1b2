package dev.satchel.server.skill;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.database.Transaction;
import java.util.List;

/** Who needs a skill: agents by its name, and runs that have not ended by the id of a version. */
public record SkillUses(Agents agents, Runs runs) {
    /** Finds the agents of a tenant. */
    @FunctionalInterface
    public interface Agents {
        /** The names of the agents that name a skill. */
        List<String> naming(Transaction tx, TenantId tenant, String skill);
    }

    /** Finds the runs that have not ended. */
    @FunctionalInterface
    public interface Runs {
        boolean need(Transaction tx, TenantId tenant, String versionId);
    }
}
