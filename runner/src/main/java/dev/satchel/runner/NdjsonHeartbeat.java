package dev.satchel.runner;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Writes a blank line at intervals, which readers of NDJSON ignore. So a run without output is not
 * taken for dead, and a lost connection is detected.
 */
final class NdjsonHeartbeat implements AutoCloseable {
    private final CountDownLatch closed = new CountDownLatch(1);
    private final OutputStream out;

    NdjsonHeartbeat(OutputStream out, Duration interval) {
        this.out = out;
        Thread.ofVirtual().name("heartbeat").start(() -> beat(interval));
    }

    /** Afterwards nothing more is written. */
    @Override
    public synchronized void close() {
        closed.countDown();
    }

    private void beat(Duration interval) {
        try {
            while (!closed.await(interval.toMillis(), TimeUnit.MILLISECONDS)) {
                write();
            }
        } catch (IOException e) {
            // the exchange detects the lost connection itself
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void write() throws IOException {
        if (closed.getCount() > 0) {
            out.write('\n'); // one write, so it is never inside another line
        }
    }
}
