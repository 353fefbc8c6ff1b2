package dev.satchel.server.application;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** A runner of our own that starts on a thread of its own, beside the rest of the server. */
final class StartingRunner implements AutoCloseable {
    private final FutureTask<EmbeddedRunner> start;

    StartingRunner(Map<String, String> variables, Path data) {
        this.start = new FutureTask<>(() -> EmbeddedRunner.start(variables, data));
        Thread.ofPlatform().name("runner").daemon().start(start);
    }

    /** Waits until it runs, or tells why it does not. */
    EmbeddedRunner runner() throws StartException {
        try {
            return start.get();
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case StartException refused -> throw refused;
                case RuntimeException broken -> throw broken;
                case null, default -> throw new IllegalStateException(e);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartException("interrupted while starting a runner", e);
        }
    }

    /** Ends it even when nobody came for it, since the database could not be opened. */
    @Override
    public void close() {
        EmbeddedRunner runner;
        try {
            runner = runner();
        } catch (StartException | RuntimeException e) {
            return; // it never was
        }
        runner.close();
    }
}
