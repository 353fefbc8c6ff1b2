package dev.satchel.runner.sandbox.bubblewrap;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;

/**
 * The platform thread that starts every process of a sandbox and runs as long as the sandbox is
 * open: {@code --die-with-parent} refers to the thread that forked, and the carrier of a virtual
 * thread may end at any time.
 */
final class ProcessStarter implements AutoCloseable {
    private final ExecutorService thread;

    ProcessStarter(String name) {
        thread =
                Executors.newSingleThreadExecutor(
                        Thread.ofPlatform().name(name).daemon().factory());
    }

    /**
     * Runs the task on that thread and waits for it, even when interrupted, so that no started
     * process is lost. The interrupt stays pending.
     */
    <T> T call(Callable<T> task) throws IOException {
        Future<T> result = submit(task);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return result.get();
                } catch (InterruptedException _) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException e) {
            throw new IOException(message(e), e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private <T> Future<T> submit(Callable<T> task) throws IOException {
        try {
            return thread.submit(task);
        } catch (RejectedExecutionException e) {
            throw new IOException("the sandbox is closed", e);
        }
    }

    private static String message(ExecutionException e) {
        Throwable cause = e.getCause();
        return cause instanceof IOException ? String.valueOf(cause.getMessage()) : e.toString();
    }

    /** Ends the thread and every process that it started. */
    @Override
    public void close() {
        thread.close();
    }
}
