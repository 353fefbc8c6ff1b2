package dev.satchel.server.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class InterruptGuardTest {
    private final InterruptGuard guard = new InterruptGuard();
    private final CountDownLatch inTransaction = new CountDownLatch(1);
    private final CountDownLatch interrupted = new CountDownLatch(1);

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void anInterruptWaitsForTheEndOfTheTransaction(Dialect dialect) throws Exception {
        AtomicBoolean during = new AtomicBoolean();
        AtomicBoolean after = new AtomicBoolean();
        try (Database database = TestDatabases.fresh(dialect)) {
            Thread task =
                    Thread.ofVirtual()
                            .start(
                                    () ->
                                            guard.run(
                                                    () -> {
                                                        during.set(database.read(this::work));
                                                        after.set(Thread.interrupted());
                                                    }));
            inTransaction.await();
            guard.interrupt();
            interrupted.countDown();
            task.join();

            assertThat(during).isFalse();
            assertThat(after).isTrue();
        }
    }

    /** Returns whether the thread was interrupted in the transaction. */
    private boolean work(Transaction tx) {
        inTransaction.countDown();
        try {
            interrupted.await();
            int one = tx.query("SELECT 1").mapTo(Integer.class).one();
            return one != 1 || Thread.currentThread().isInterrupted();
        } catch (InterruptedException e) {
            return true;
        }
    }

    @Test
    void aTransactionDoesNotSeeAnEarlierInterrupt() {
        AtomicBoolean during = new AtomicBoolean(true);
        guard.run(
                () -> {
                    guard.interrupt();
                    during.set(
                            InterruptGuard.protect(() -> Thread.currentThread().isInterrupted()));
                    assertThat(Thread.currentThread().isInterrupted()).isTrue();
                });

        assertThat(during).isFalse();
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void nothingInterruptsADisarmedTask() {
        guard.run(
                () -> {
                    guard.interrupt();
                    assertThat(guard.disarm()).isTrue();
                    guard.interrupt();
                    assertThat(Thread.currentThread().isInterrupted()).isFalse();
                    assertThat(guard.disarm()).isFalse();
                });
    }
}
