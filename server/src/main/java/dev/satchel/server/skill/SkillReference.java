package dev.satchel.server.skill;

import dev.satchel.protocol.RunConfig;

/**
 * The version of a skill that a run uses, with what its runner needs.
 *
 * @param id of the row; for a skill that comes with Satchel its hash
 * @param sha256 of the archive, which has the same bytes for the same files
 * @param files how many files it has
 * @param bytes the size of its files together
 */
public record SkillReference(
        String id,
        String name,
        long version,
        boolean builtIn,
        String description,
        String sha256,
        int files,
        long bytes) {

    /** For people: which skill it was. */
    public record Version(String name, long version, boolean builtIn) {}

    public Version shown() {
        return new Version(name, version, builtIn);
    }

    public RunConfig.Skill config() {
        return new RunConfig.Skill(name, version, description, sha256, files, bytes);
    }
}
