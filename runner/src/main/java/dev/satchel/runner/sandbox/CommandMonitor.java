package dev.satchel.runner.sandbox;

import dev.satchel.protocol.SandboxLine.Output;
import dev.satchel.runner.sandbox.CommandResult.Ending;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Waits for a started command, reads its output, and kills it after its time limit. */
public final class CommandMonitor {
    private static final int CHUNK_BYTES = 16 * 1024;

    private final Process process;
    private final Command command;
    private final Runnable kill;
    private final long startedNanos = System.nanoTime();
    private final OutputBuffer output;
    private final OutputBuffer errors;
    private final List<Thread> readers = new ArrayList<>();

    /** {@code kill} ends the command and its processes; it runs when the command has ended. */
    public CommandMonitor(Process process, Command command, Runnable kill) {
        this.process = process;
        this.command = command;
        this.kill = kill;
        output = new OutputBuffer(command.maxOutputBytes());
        errors = new OutputBuffer(command.separateErrors() ? command.maxOutputBytes() : 0);
        readers.add(reader(process.getInputStream(), output, Output.Stream.STDOUT));
        if (command.separateErrors()) {
            readers.add(reader(process.getErrorStream(), errors, Output.Stream.STDERR));
        }
    }

    /** A platform thread, since reading a pipe pins the carrier of a virtual thread. */
    private Thread reader(InputStream from, OutputBuffer into, Output.Stream stream) {
        return Thread.ofPlatform()
                .daemon()
                .name("sandbox-output")
                .start(() -> read(from, into, stream));
    }

    public CommandResult await() throws InterruptedException {
        boolean inTime;
        try {
            inTime = process.waitFor(command.timeout().toNanos(), TimeUnit.NANOSECONDS);
        } finally {
            kill.run(); // also after an interrupt
        }
        int exitCode = process.waitFor();
        for (Thread reader : readers) {
            reader.join();
        }
        return new CommandResult(
                exitCode,
                output.text(),
                errors.text(),
                output.truncated() || errors.truncated(),
                inTime ? Ending.EXITED : Ending.TIMED_OUT,
                Duration.ofNanos(System.nanoTime() - startedNanos));
    }

    /** Unlike {@link Process#destroyForcibly}, this does not close the unread output. */
    public static void kill(Process process) {
        process.toHandle().destroyForcibly();
    }

    private void read(InputStream from, OutputBuffer into, Output.Stream stream) {
        byte[] chunk = new byte[CHUNK_BYTES];
        try (from) {
            for (int count = from.read(chunk); count >= 0; count = from.read(chunk)) {
                into.write(chunk, count);
                command.listener().output(stream, chunk, count);
            }
        } catch (IOException _) {
            // the process has ended: the output is complete
        }
    }
}
