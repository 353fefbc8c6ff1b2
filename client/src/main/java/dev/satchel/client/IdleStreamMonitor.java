package dev.satchel.client;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

/** Closes a stream that was idle for too long, so that its reader continues. */
final class IdleStreamMonitor implements AutoCloseable {
    private final long patienceNanos;
    private final InputStream stream;
    private final Thread thread;
    private volatile long heardAt = System.nanoTime();

    IdleStreamMonitor(Duration patience, InputStream stream) {
        this.patienceNanos = patience.toNanos();
        this.stream = stream;
        this.thread = Thread.ofVirtual().name("silence-watch").start(this::watch);
    }

    void recordActivity() {
        heardAt = System.nanoTime();
    }

    @Override
    public void close() {
        thread.interrupt();
    }

    private void watch() {
        try {
            for (long left = left(); left > 0; left = left()) {
                Thread.sleep(Duration.ofNanos(left));
            }
            stream.close();
        } catch (InterruptedException | IOException e) {
            // the reader has left, or the stream was gone already
        }
    }

    private long left() {
        return heardAt + patienceNanos - System.nanoTime();
    }
}
