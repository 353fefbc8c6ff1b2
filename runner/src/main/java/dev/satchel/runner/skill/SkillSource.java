package dev.satchel.runner.skill;

import dev.satchel.protocol.RunConfig;
import java.io.IOException;
import java.io.InputStream;

/** Where the archives of skills come from. */
@FunctionalInterface
public interface SkillSource {
    /** The archive of a skill as a zip; the caller closes it. */
    InputStream open(RunConfig.Skill skill) throws IOException, InterruptedException;
}
