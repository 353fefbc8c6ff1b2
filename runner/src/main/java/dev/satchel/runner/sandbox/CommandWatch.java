package dev.satchel.runner.sandbox;

import dev.satchel.runner.sandbox.CommandResult.Ending;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Waits for a started command, keeps its output, and kills it when its time is over. */
final class CommandWatch {
    private static final int CHUNK_BYTES = 16 * 1024;

    private final Process process;
    private final Command command;
    private final Runnable kill;
    private final long startedNanos = System.nanoTime();
    private final OutputBuffer output;
    private final Thread reader;

    /** The kill ends the command and everything it started; it runs once the command has ended. */
    CommandWatch(Process process, Command command, Runnable kill) {
        this.process = process;
        this.command = command;
        this.kill = kill;
        output = new OutputBuffer(command.maxOutputBytes());
        // reading a pipe would hold a virtual thread's carrier
        reader = Thread.ofPlatform().daemon().name("sandbox-output").start(this::read);
    }

    CommandResult await() throws InterruptedException {
        boolean inTime;
        try {
            inTime = process.waitFor(command.timeout().toNanos(), TimeUnit.NANOSECONDS);
        } finally {
            kill.run(); // also after an interrupt
        }
        int exitCode = process.waitFor();
        reader.join();
        return new CommandResult(
                exitCode,
                output.text(),
                output.truncated(),
                inTime ? Ending.EXITED : Ending.TIMED_OUT,
                Duration.ofNanos(System.nanoTime() - startedNanos));
    }

    /** Unlike {@link Process#destroyForcibly}, which closes the output that is still to be read. */
    static void kill(Process process) {
        process.toHandle().destroyForcibly();
    }

    private void read() {
        byte[] chunk = new byte[CHUNK_BYTES];
        try (InputStream input = process.getInputStream()) {
            for (int count = input.read(chunk); count >= 0; count = input.read(chunk)) {
                output.write(chunk, count);
            }
        } catch (IOException _) {
            // the pipe broke with the process: what was read so far is the output
        }
    }
}
