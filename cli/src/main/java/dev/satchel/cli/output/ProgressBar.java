package dev.satchel.cli.output;

import java.io.PrintStream;
import java.util.function.LongSupplier;

/** A line on the terminal that is overwritten; short transfers show none. */
final class ProgressBar implements TransferProgress {
    private static final long FIRST_NANOS = 300_000_000;
    private static final long NEXT_NANOS = 100_000_000;
    private static final int WIDTH = 24;
    private static final String CLEAR = "\r\u001b[2K";

    private final String what;
    private final PrintStream err;
    private final LongSupplier nanos;
    private final long startedAt;
    private long drawnAt;
    private boolean isShown;

    ProgressBar(String what, PrintStream err) {
        this(what, err, System::nanoTime);
    }

    ProgressBar(String what, PrintStream err, LongSupplier nanos) {
        this.what = HumanFormat.abbreviate(what, 40);
        this.err = err;
        this.nanos = nanos;
        this.startedAt = nanos.getAsLong();
    }

    @Override
    public void moved(long bytes, long total) {
        long now = nanos.getAsLong();
        if (now - startedAt < FIRST_NANOS || now - drawnAt < NEXT_NANOS) {
            return;
        }
        drawnAt = now;
        isShown = true;
        double seconds = (now - startedAt) / 1e9;
        String rate = HumanFormat.size((long) (bytes / seconds)) + "/s";
        err.print(CLEAR + what + "  " + drawn(bytes, total) + "  " + rate);
        err.flush();
    }

    @Override
    public void done() {}

    @Override
    public void close() {
        if (isShown) {
            err.print(CLEAR);
            err.flush();
        }
    }

    private static String drawn(long bytes, long total) {
        if (total <= 0) {
            return HumanFormat.size(bytes);
        }
        int full = (int) Math.min(WIDTH, bytes * WIDTH / total);
        return "["
                + "█".repeat(full)
                + "·".repeat(WIDTH - full)
                + "] "
                + bytes * 100 / total
                + " %  "
                + HumanFormat.size(bytes)
                + " of "
                + HumanFormat.size(total);
    }
}
