package dev.satchel.server.sandbox;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;

/** Checks whether a runner answers at an address. */
public final class RunnerHealth {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final Duration PAUSE = Duration.ofMillis(25);
    private static final int PAUSES_PER_CHECK = 20; // a check of the engine takes longer

    private RunnerHealth() {}

    /** Checks whether a starting runner can still answer. */
    @FunctionalInterface
    public interface StartCheck {
        /** Throws when the runner has ended. */
        void check() throws IOException, InterruptedException;
    }

    /** Accepts any status: a runner need not have this path. */
    static void request(URI runner) throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) URI.create(runner + "/health").toURL().openConnection();
        try {
            connection.setConnectTimeout((int) TIMEOUT.toMillis());
            connection.setReadTimeout((int) TIMEOUT.toMillis());
            connection.setInstanceFollowRedirects(false);
            int _ = connection.getResponseCode();
        } finally {
            connection.disconnect();
        }
    }

    /** Waits until a starting runner answers. */
    public static void await(URI runner, Duration limit, StartCheck start)
            throws IOException, InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        for (int pauses = 1; ; pauses++) {
            try {
                request(runner);
                return;
            } catch (IOException e) {
                if (System.nanoTime() > deadline) {
                    throw new SandboxFailedException(
                            "no answer from " + runner + " within " + limit, e);
                }
            }
            if (pauses % PAUSES_PER_CHECK == 0) {
                start.check();
            }
            Thread.sleep(PAUSE);
        }
    }
}
