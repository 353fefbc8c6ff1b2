package dev.satchel.runner.sandbox;

import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;

/**
 * A program in a sandbox whose standard input and output the caller uses. Closing it kills the
 * program and all that it started.
 */
public final class SandboxProcess implements AutoCloseable {
    private final Process process;
    private final Runnable end;
    private boolean closed;

    /** {@code end} kills the program and waits for its end. */
    public SandboxProcess(Process process, Runnable end) {
        this.process = process;
        this.end = end;
    }

    /** The command line of a program without a time limit, whose output is read by the caller. */
    public static Command command(List<String> arguments) {
        return new Command(arguments, Duration.ZERO, 0, true);
    }

    /** What the program reads. */
    public OutputStream input() {
        return process.getOutputStream();
    }

    public InputStream output() {
        return process.getInputStream();
    }

    public InputStream errors() {
        return process.getErrorStream();
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            end.run();
        }
    }
}
