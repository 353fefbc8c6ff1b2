package dev.satchel.server.skill;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;

/** What one skill may have: entries of its archive, and bytes, packed and unpacked. */
public record SkillLimits(int maxFiles, long maxBytes) {
    public static final SkillLimits DEFAULT = new SkillLimits(1_000, 20L << 20);

    SatchelException tooManyFiles() {
        return new SatchelException(
                ErrorCode.TOO_LARGE,
                "the archive has more than %d entries, which is the limit (SATCHEL_MAX_SKILL_FILES)"
                        .formatted(maxFiles));
    }

    SatchelException tooManyBytes(String where) {
        return new SatchelException(
                ErrorCode.TOO_LARGE,
                "%s has more than %d bytes, which is the limit (SATCHEL_MAX_SKILL_BYTES)"
                        .formatted(where, maxBytes));
    }
}
