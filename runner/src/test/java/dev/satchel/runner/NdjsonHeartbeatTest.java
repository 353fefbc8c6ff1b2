package dev.satchel.runner;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class NdjsonHeartbeatTest {
    /** Counts the blank lines written to it. */
    private static final class Beats extends OutputStream {
        private final CountDownLatch three = new CountDownLatch(3);

        @Override
        public void write(int b) {
            assertThat(b).isEqualTo('\n');
            three.countDown();
        }
    }

    @Test
    void blankLinesComeUntilItIsClosed() throws InterruptedException {
        Beats beats = new Beats();
        try (NdjsonHeartbeat _ = new NdjsonHeartbeat(beats, Duration.ofMillis(1))) {
            beats.three.await();
        }
        assertThat(beats.three.getCount()).isZero();
    }

    @Test
    void closingDoesNotWaitForTheNextBeat() {
        Beats beats = new Beats();
        new NdjsonHeartbeat(beats, Duration.ofHours(1)).close();
        assertThat(beats.three.getCount()).isEqualTo(3);
    }
}
