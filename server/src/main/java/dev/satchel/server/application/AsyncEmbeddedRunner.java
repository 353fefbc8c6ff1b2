package dev.satchel.server.application;

import dev.satchel.http.security.Secrets;
import dev.satchel.runner.sandbox.setup.SandboxUnavailableException;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.sandbox.FixedSandboxProvider;
import dev.satchel.server.sandbox.RunningSandbox;
import dev.satchel.server.sandbox.SandboxFailedException;
import dev.satchel.server.sandbox.SandboxProvider;
import dev.satchel.server.sandbox.SandboxRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A runner in this process that starts on its own thread, beside the rest of the server. Where
 * commands cannot be isolated there is no runner, and the server works without one.
 */
final class AsyncEmbeddedRunner implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AsyncEmbeddedRunner.class);
    private static final int SECRET_BYTES = 32;

    private final String secret = Secrets.randomHex(SECRET_BYTES);
    private final FutureTask<Outcome> start;
    private volatile boolean closed;

    /** How the start ended. */
    private sealed interface Outcome {
        record Started(EmbeddedRunner runner) implements Outcome {}

        record Unavailable(String reason) implements Outcome {}
    }

    AsyncEmbeddedRunner(Map<String, String> variables, Path data) {
        this.start = new FutureTask<>(() -> start(variables, data));
        Thread.ofPlatform().name("runner").daemon().start(start);
    }

    /** Can be used before the runner has started; the first launch waits for it. */
    SandboxProvider sandboxes() {
        return new OwnSandboxes();
    }

    /**
     * Waits until the runner has started, or is known to be unable to isolate commands.
     *
     * @throws StartException when it cannot start for another reason
     */
    void await() throws StartException {
        Outcome _ = outcome();
    }

    /**
     * Waits as {@link #await}, and says whether a run could take the memory and the processors of
     * all others. Without a runner there are no runs.
     */
    boolean hasUnlimitedRuns() throws StartException {
        return outcome() instanceof Outcome.Started(EmbeddedRunner runner) && !runner.limitsRuns();
    }

    /** Stops the runner, also when the rest of the server did not start. */
    @Override
    public void close() {
        closed = true;
        try {
            if (outcome() instanceof Outcome.Started(EmbeddedRunner runner)) {
                runner.close();
            }
        } catch (StartException | RuntimeException e) {
            return; // it has not started
        }
    }

    private Outcome start(Map<String, String> variables, Path data) throws StartException {
        try {
            return new Outcome.Started(EmbeddedRunner.start(variables, data, secret));
        } catch (SandboxUnavailableException e) {
            LOG.warn("turns are refused reason={}", e.getMessage());
            return new Outcome.Unavailable(
                    e.getMessage() + "; or name a runner elsewhere with SANDBOX_URL");
        }
    }

    private Outcome outcome() throws StartException {
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

    /** Sandboxes of the runner once it has started. */
    private final class OwnSandboxes implements SandboxProvider {
        @Override
        public RunningSandbox launch(SandboxRequest order) throws IOException {
            return started().launch(order);
        }

        @Override
        public void reap(Predicate<RunId> alive) {} // a run ends with its connection

        @Override
        public Optional<String> unavailable() {
            return known() instanceof Outcome.Unavailable(String reason)
                    ? Optional.of(reason)
                    : Optional.empty();
        }

        /** A runner in this process needs no request: it answers as long as it is not closed. */
        @Override
        public void probe() throws IOException {
            FixedSandboxProvider _ = started();
            if (closed) {
                throw new IOException("the runner is closed");
            }
        }

        @Override
        public void close() {}

        private FixedSandboxProvider started() throws IOException {
            return switch (known()) {
                case Outcome.Started(EmbeddedRunner runner) ->
                        new FixedSandboxProvider(runner.url(), secret);
                case Outcome.Unavailable(String reason) -> throw new SandboxFailedException(reason);
            };
        }

        private Outcome known() {
            try {
                return outcome();
            } catch (StartException e) {
                throw new IllegalStateException(e); // the server has not started either
            }
        }
    }
}
