package dev.satchel.tools.grep;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Runs a command in the directory that is searched, such as in a sandbox. */
@FunctionalInterface
public interface CommandRunner {
    /** Waits for the command, which is killed after the time limit. */
    Output run(List<String> command, Duration timeLimit, int maxOutputBytes)
            throws IOException, InterruptedException;

    /** Standard output and standard error as text. */
    record Output(String output, String errors) {}
}
