package dev.satchel.runner.tool;

import dev.satchel.runner.sandbox.Command;
import dev.satchel.runner.sandbox.CommandResult;
import dev.satchel.runner.sandbox.CommandResult.Ending;
import dev.satchel.runner.sandbox.Sandbox;
import dev.satchel.runner.sandbox.SandboxProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs commands as plain processes in a directory: no isolation, for tests only. */
public final class PlainSandbox implements Sandbox {
    private final Path directory;

    public PlainSandbox(Path directory) {
        this.directory = directory;
    }

    @Override
    public CommandResult run(Command command) throws IOException, InterruptedException {
        Path output = Files.createTempFile("output", null); // a pipe would fill up
        Process process =
                new ProcessBuilder(command.argumentsOnHost())
                        .directory(directory.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        try {
            boolean ended = process.waitFor(command.timeout().toMillis(), TimeUnit.MILLISECONDS);
            if (!ended) {
                return new CommandResult(-1, "", "", false, Ending.TIMED_OUT, command.timeout());
            }
            byte[] all = Files.readAllBytes(output);
            int kept = Math.min(all.length, command.maxOutputBytes());
            return new CommandResult(
                    process.exitValue(),
                    new String(all, 0, kept, StandardCharsets.UTF_8),
                    "",
                    kept < all.length,
                    Ending.EXITED,
                    Duration.ZERO);
        } finally {
            process.destroyForcibly();
            Files.delete(output);
        }
    }

    @Override
    public SandboxProcess start(List<String> arguments) throws IOException {
        Process process = new ProcessBuilder(arguments).directory(directory.toFile()).start();
        return new SandboxProcess(process, process::destroyForcibly);
    }

    @Override
    public void close() {}
}
