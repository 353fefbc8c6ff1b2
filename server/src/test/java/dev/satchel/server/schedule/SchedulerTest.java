package dev.satchel.server.schedule;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class SchedulerTest {
    @Test
    @Timeout(30)
    void oneFailingRoundIsNeverTheLastOne() throws InterruptedException {
        CountDownLatch rounds = new CountDownLatch(3);
        try (Scheduler scheduler = new Scheduler("test")) {
            scheduler.every(
                    Duration.ofMillis(1),
                    () -> {
                        rounds.countDown();
                        if (rounds.getCount() == 2) {
                            throw new IllegalStateException("on purpose");
                        }
                        throw new OutOfMemoryError("on purpose");
                    });
            rounds.await();
        }
    }
}
