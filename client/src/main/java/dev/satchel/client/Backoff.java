package dev.satchel.client;

import java.io.IOException;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.net.http.HttpTimeoutException;
import java.nio.file.FileSystemException;

/**
 * Whether, how often and after how long a request is sent again. That is safe for reads, and for
 * writes that carry a key: the server does those once.
 */
final class Backoff {
    private static final int MOST_FAILURES = 10;
    private static final long FIRST_MILLIS = 250;
    private static final long LONGEST_MILLIS = 5_000;

    private final long firstMillis;
    private int failures;
    private boolean isKnown;

    Backoff() {
        this(FIRST_MILLIS);
    }

    Backoff(long firstMillis) {
        this.firstMillis = firstMillis;
    }

    /** Does something that may have to be done again. */
    @FunctionalInterface
    interface Attempt<T> {
        T run() throws IOException, InterruptedException;
    }

    /** The first outcome that is not a lost connection. */
    static <T> T repeat(Attempt<T> attempt) throws IOException, InterruptedException {
        return new Backoff().until(attempt);
    }

    <T> T until(Attempt<T> attempt) throws IOException, InterruptedException {
        while (true) {
            try {
                return attempt.run();
            } catch (IOException e) {
                failed(e);
            }
        }
    }

    /** Something came through: what failed before does not count any more. */
    void succeeded() {
        failures = 0;
        isKnown = true;
    }

    /** Waits before the next try, or gives up with the failure. */
    void failed(IOException failure) throws IOException, InterruptedException {
        failed(failure, () -> {});
    }

    /** As {@link #failed(IOException)}; the listener is notified before the first retry. */
    void failed(IOException failure, Runnable waits) throws IOException, InterruptedException {
        failures++;
        if (failures > MOST_FAILURES || !isWorthAnother(failure)) {
            throw failure;
        }
        isKnown = true;
        if (failures == 1) {
            waits.run();
        }
        Thread.sleep(Math.min(LONGEST_MILLIS, firstMillis << (failures - 1)));
    }

    /** Retries only a server that has answered before. */
    private boolean isWorthAnother(IOException failure) {
        if (failure instanceof ApiException refusal) {
            return refusal.isInDoubt() || (isKnown && refusal.isTemporary());
        }
        if (failure instanceof ConnectException) {
            return isKnown;
        }
        return !(failure instanceof HttpTimeoutException
                || failure instanceof ProtocolException
                || failure instanceof FileSystemException);
    }
}
