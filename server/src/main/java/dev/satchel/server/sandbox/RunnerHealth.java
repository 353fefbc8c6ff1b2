package dev.satchel.server.sandbox;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;

/**
 * Whether somebody answers at a runner's address. Another runner need not know any path but its
 * own.
 */
public final class RunnerHealth {
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final Duration PAUSE = Duration.ofMillis(25);
    private static final int PAUSES_PER_HOPE = 20; // asking an engine costs more than asking a port

    private RunnerHealth() {}

    /** Whether what is waited for can still come. */
    @FunctionalInterface
    public interface Hope {
        /** Throws when it cannot. */
        void check() throws IOException, InterruptedException;
    }

    /** Any answer will do. */
    static void ask(URI runner) throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) URI.create(runner + "/health").toURL().openConnection();
        try {
            connection.setConnectTimeout((int) PATIENCE.toMillis());
            connection.setReadTimeout((int) PATIENCE.toMillis());
            connection.setInstanceFollowRedirects(false);
            int _ = connection.getResponseCode();
        } finally {
            connection.disconnect();
        }
    }

    /** Waits until a runner that is starting answers. */
    public static void await(URI runner, Duration limit, Hope hope)
            throws IOException, InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        for (int pauses = 1; ; pauses++) {
            try {
                ask(runner);
                return;
            } catch (IOException e) {
                if (System.nanoTime() > deadline) {
                    throw new SandboxFailedException(
                            "no answer from " + runner + " within " + limit, e);
                }
            }
            if (pauses % PAUSES_PER_HOPE == 0) {
                hope.check();
            }
            Thread.sleep(PAUSE); // it says nothing to us before it listens
        }
    }
}
