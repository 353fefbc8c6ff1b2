package dev.satchel.bench.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A child process that prints a line when it is ready and can be stopped. */
public final class ChildProcess implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** Settings in the environment of the benchmark must not reach the measured process. */
    private static final List<String> HANDED_ON =
            List.of("PATH", "HOME", "LANG", "TMPDIR", "JAVA_HOME", "XDG_RUNTIME_DIR");

    private final Process process;
    private final String ready;

    private ChildProcess(Process process, String ready) {
        this.process = process;
        this.ready = ready;
    }

    /** Waits for the line that begins so; everything the program logs goes to the file. */
    public static ChildProcess start(
            List<String> command, Map<String, String> variables, String readyPrefix, Path log)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
        builder.environment().keySet().retainAll(HANDED_ON);
        builder.environment().putAll(variables);
        Process process = builder.start();
        BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith(readyPrefix)) {
                drain(output);
                return new ChildProcess(process, line.substring(readyPrefix.length()).strip());
            }
        }
        throw new IOException(command.getFirst() + " did not start: " + Files.readString(log));
    }

    /** The rest of the line after the prefix. */
    public String ready() {
        return ready;
    }

    public void tell(String line) throws IOException {
        Writer input = process.outputWriter(StandardCharsets.UTF_8);
        input.write(line + "\n");
        input.flush();
    }

    /** Resident memory now and at its peak, in megabytes. */
    public ProcessMemory memory() throws IOException {
        return ProcessMemory.of(process.pid());
    }

    /** The CPU time it has used so far. */
    public Duration cpu() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** The CPU time of the processes that it has started and waited for. */
    public Duration cpuOfEndedChildren() throws IOException {
        return ProcessCounters.cpuOfEndedChildren(process.pid());
    }

    /** The bytes that it has had written to disks so far. */
    public long writtenBytes() throws IOException {
        return ProcessCounters.writtenBytes(process.pid());
    }

    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /** A full pipe would stop the program at its next line. */
    private static void drain(BufferedReader output) {
        Thread.ofPlatform()
                .daemon()
                .start(
                        () -> {
                            try {
                                while (output.readLine() != null) {}
                            } catch (IOException e) {
                                // it has ended: there is nothing more to read
                            }
                        });
    }
}
