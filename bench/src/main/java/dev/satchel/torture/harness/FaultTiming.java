package dev.satchel.torture.harness;

import java.time.Duration;

/** Chooses when a fault is injected. */
public final class FaultTiming {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(20);

    private FaultTiming() {}

    /** A random moment after the first acknowledged write. */
    public static void busy(ScenarioContext context, AcknowledgedWrites writes, Duration limit)
            throws InterruptedException {
        int before = writes.messages().size();
        await(() -> writes.messages().size() > before + 2, "no traffic came about");
        Thread.sleep(context.within(limit));
    }

    public interface Condition {
        boolean holds() throws Exception;
    }

    /** Polls for at most a minute. */
    public static void await(Condition condition, String otherwise) throws InterruptedException {
        await(condition, TIMEOUT, otherwise);
    }

    public static void await(Condition condition, Duration patience, String otherwise)
            throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        while (!holds(condition)) {
            InvariantChecks.require(System.nanoTime() < end, otherwise);
            Thread.sleep(LOOK_AGAIN);
        }
    }

    private static boolean holds(Condition condition) throws InterruptedException {
        try {
            return condition.holds();
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            return false; // not yet
        }
    }
}
