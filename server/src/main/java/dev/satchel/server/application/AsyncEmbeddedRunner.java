package dev.satchel.server.application;

import dev.satchel.server.sandbox.FixedSandboxProvider;
import dev.satchel.server.sandbox.SandboxProvider;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** A runner of our own that starts on a thread of its own, beside the rest of the server. */
final class AsyncEmbeddedRunner implements AutoCloseable {
    private static final int SECRET_BYTES = 32;

    private final String secret = newSecret();
    private final FutureTask<EmbeddedRunner> start;

    AsyncEmbeddedRunner(Map<String, String> variables, Path data) {
        this.start = new FutureTask<>(() -> EmbeddedRunner.start(variables, data, secret));
        Thread.ofPlatform().name("runner").daemon().start(start);
    }

    /** Can be built upon at once; whoever launches the first one waits until it runs. */
    SandboxProvider sandboxes() {
        return new FixedSandboxProvider(this::url, secret);
    }

    /** Waits until it runs, or tells why it does not. */
    EmbeddedRunner await() throws StartException {
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
            runner = await();
        } catch (StartException | RuntimeException e) {
            return; // it never was
        }
        runner.close();
    }

    private URI url() {
        try {
            return await().url();
        } catch (StartException e) {
            throw new IllegalStateException(e); // the server has not started either
        }
    }

    private static String newSecret() {
        byte[] random = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }
}
