package dev.satchel.server.skill;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One version of a skill as JSON. A skill that comes with Satchel has no time. */
@JsonInclude(JsonInclude.Include.NON_NULL)
record SkillView(
        String name,
        String description,
        long version,
        boolean builtIn,
        int files,
        long bytes,
        String sha256,
        @Nullable Long createdAt,
        @Nullable List<SkillContent.File> entries,
        @Nullable String instructions) {

    record All(List<SkillView> skills) {}

    /** The newest first; {@code nextCursor} is that of the older page. */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record Versions(List<SkillView> versions, @Nullable String nextCursor) {}

    static SkillView of(Skill skill) {
        return of(skill, null, null);
    }

    /** With its files and the text of its {@code SKILL.md}. */
    static SkillView whole(Skill skill, String instructions) {
        return of(skill, skill.entries(), instructions);
    }

    private static SkillView of(
            Skill skill, @Nullable List<SkillContent.File> entries, @Nullable String instructions) {
        SkillReference reference = skill.reference();
        return new SkillView(
                reference.name(),
                reference.description(),
                reference.version(),
                reference.builtIn(),
                reference.files(),
                reference.bytes(),
                reference.sha256(),
                skill.tenant() == null ? null : skill.createdAt(),
                entries,
                instructions);
    }
}
