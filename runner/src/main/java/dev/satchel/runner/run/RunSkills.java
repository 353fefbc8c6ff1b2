package dev.satchel.runner.run;

import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.protocol.LogLevel;
import dev.satchel.protocol.RunConfig;
import dev.satchel.runner.agent.AgentFailedException;
import dev.satchel.runner.skill.SkillCache;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The skills of one run, or none. They stay on this machine at least until it is closed. */
final class RunSkills implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RunSkills.class);

    private final SkillCache.@Nullable Lease lease;
    private final @Nullable SafeDirectory directory;

    private RunSkills(SkillCache.@Nullable Lease lease, @Nullable SafeDirectory directory) {
        this.lease = lease;
        this.directory = directory;
    }

    /** Fetches them and logs which they are. */
    static RunSkills open(
            SkillCache cache, RunConfig config, CallbackClient callbacks, RunTrace trace)
            throws RunFailedException, AgentFailedException, IOException, InterruptedException {
        List<RunConfig.Skill> skills = config.skills();
        if (skills == null) {
            return new RunSkills(null, null);
        }
        RunSkills opened = trace.phase("skills", () -> fetch(cache, skills, callbacks));
        trace.log(
                LogLevel.INFO,
                "skills loaded=%d: %s"
                        .formatted(
                                skills.size(),
                                skills.stream()
                                        .map(skill -> skill.name() + "@" + skill.version())
                                        .collect(Collectors.joining(", "))));
        return opened;
    }

    private static RunSkills fetch(
            SkillCache cache, List<RunConfig.Skill> skills, CallbackClient callbacks)
            throws RunFailedException, InterruptedException {
        SkillCache.Lease lease = null;
        try {
            lease = cache.open(skills, skill -> callbacks.skill(skill.name()));
            return new RunSkills(lease, SafeDirectory.open(lease.path()));
        } catch (IOException e) {
            if (lease != null) {
                lease.close();
            }
            LOG.warn("cannot fetch skills", e);
            throw new RunFailedException(
                    RunFailedException.Code.SKILLS_FAILED,
                    "The skills of the agent cannot be loaded: " + e.getMessage() + ".");
        }
    }

    /** Null without skills. */
    @Nullable Path path() {
        return lease == null ? null : lease.path();
    }

    /** Null without skills. */
    @Nullable SafeDirectory directory() {
        return directory;
    }

    @Override
    public void close() {
        try {
            if (directory != null) {
                directory.close();
            }
        } finally {
            if (lease != null) {
                lease.close();
            }
        }
    }
}
