package dev.satchel.runner.sandbox;

import dev.satchel.runner.sandbox.CommandResult.Ending;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Waits for a started command, keeps its output, and kills it when its time is over. */
public final class CommandMonitor {
    private static final int CHUNK_BYTES = 16 * 1024;

    private final Process process;
    private final Command command;
    private final Runnable kill;
    private final long startedNanos = System.nanoTime();
    private final OutputBuffer output;
    private final OutputBuffer errors;
    private final List<Thread> readers = new ArrayList<>();

    /** The kill ends the command and everything it started; it runs once the command has ended. */
    public CommandMonitor(Process process, Command command, Runnable kill) {
        this.process = process;
        this.command = command;
        this.kill = kill;
        output = new OutputBuffer(command.maxOutputBytes());
        errors = new OutputBuffer(command.errorsApart() ? command.maxOutputBytes() : 0);
        readers.add(reader(process.getInputStream(), output));
        if (command.errorsApart()) {
            readers.add(reader(process.getErrorStream(), errors));
        }
    }

    /** Reading a pipe would hold a virtual thread's carrier. */
    private static Thread reader(InputStream from, OutputBuffer into) {
        return Thread.ofPlatform().daemon().name("sandbox-output").start(() -> read(from, into));
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

    /** Unlike {@link Process#destroyForcibly}, which closes the output that is still to be read. */
    public static void kill(Process process) {
        process.toHandle().destroyForcibly();
    }

    private static void read(InputStream from, OutputBuffer into) {
        byte[] chunk = new byte[CHUNK_BYTES];
        try (from) {
            for (int count = from.read(chunk); count >= 0; count = from.read(chunk)) {
                into.write(chunk, count);
            }
        } catch (IOException _) {
            // the pipe broke with the process: what was read so far is the output
        }
    }
}
