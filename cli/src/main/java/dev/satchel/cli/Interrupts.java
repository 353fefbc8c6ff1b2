package dev.satchel.cli;

import java.util.concurrent.atomic.AtomicInteger;
import org.jline.utils.Signals;
import org.jspecify.annotations.Nullable;

/** Ctrl-C while something runs: the first time that is cancelled, the second time we leave. */
final class Interrupts implements AutoCloseable {
    private static final String SIGNAL = "INT";

    private final AtomicInteger count = new AtomicInteger();
    private final Runnable first;
    private final @Nullable Object before;

    Interrupts(Runnable first) {
        this.first = first;
        this.before = Signals.register(SIGNAL, this::interrupted);
    }

    @Override
    public void close() {
        Signals.unregister(SIGNAL, before);
    }

    private void interrupted() {
        if (count.incrementAndGet() > 1) {
            System.exit(ExitCode.CANCELLED);
        }
        Thread.ofVirtual().start(first);
    }
}
