package dev.satchel.runner.sandbox;

import java.io.IOException;
import java.util.List;

/** Runs the commands of one run. Closing it kills all processes of the run and cleans up. */
public interface Sandbox extends AutoCloseable {
    /** What commands find as the name of their machine. */
    String HOST_NAME = "satchel";

    /** The path of the workspace inside the sandbox. */
    String WORKSPACE = "/root/workspace";

    /** The path of the skills inside the sandbox. */
    String SKILLS = "/root/skills";

    /** The variable that has the path of the skills as commands see it, also without isolation. */
    String SKILLS_VARIABLE = "SATCHEL_SKILLS";

    /**
     * Runs one command in the workspace and waits for it. When the command ends or the thread is
     * interrupted, all processes that it started are killed.
     */
    CommandResult run(Command command) throws IOException, InterruptedException;

    /**
     * Starts a program in the workspace that runs beside the commands, until the caller closes it
     * or the sandbox is closed.
     */
    SandboxProcess start(List<String> arguments) throws IOException;

    @Override
    void close();
}
