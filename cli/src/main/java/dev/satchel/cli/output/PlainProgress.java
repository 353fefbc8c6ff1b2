package dev.satchel.cli.output;

import java.io.PrintStream;

/** Progress for logs: a line every ten seconds, and one at the end. */
final class PlainProgress implements TransferProgress {
    private static final long INTERVAL_NANOS = 10_000_000_000L;

    private final String what;
    private final PrintStream err;
    private long printedAt = System.nanoTime();
    private long bytes;

    PlainProgress(String what, PrintStream err) {
        this.what = Table.plain(what);
        this.err = err;
    }

    @Override
    public void moved(long moved, long total) {
        bytes = moved;
        if (System.nanoTime() - printedAt >= INTERVAL_NANOS) {
            printedAt = System.nanoTime();
            String whole = total > 0 ? " of " + HumanFormat.size(total) : "";
            err.println(what + ": " + HumanFormat.size(moved) + whole);
        }
    }

    @Override
    public void done() {
        err.println(what + ": " + HumanFormat.size(bytes) + ", done");
    }

    @Override
    public void close() {}
}
