package dev.satchel.cli.common;

import java.util.concurrent.atomic.AtomicInteger;
import org.jline.utils.Signals;
import org.jspecify.annotations.Nullable;

/** Ctrl-C during a run: the first calls the action, the second ends the program. */
public final class InterruptHandler implements AutoCloseable {
    private static final String SIGNAL = "INT";

    private final AtomicInteger count = new AtomicInteger();
    private final Runnable action;
    private final @Nullable Object previous;

    public InterruptHandler(Runnable action) {
        this.action = action;
        this.previous = Signals.register(SIGNAL, this::interrupted);
    }

    @Override
    public void close() {
        Signals.unregister(SIGNAL, previous);
    }

    private void interrupted() {
        if (count.incrementAndGet() > 1) {
            System.exit(ExitCode.CANCELLED);
        }
        Thread.ofVirtual().start(action);
    }
}
