package dev.satchel.cli;

import java.io.PrintStream;

/** For logs: a line each ten seconds, and one at the end. */
final class PlainProgress implements TransferProgress {
    private static final long EVERY_NANOS = 10_000_000_000L;

    private final String what;
    private final PrintStream err;
    private long saidAt = System.nanoTime();
    private long bytes;

    PlainProgress(String what, PrintStream err) {
        this.what = Table.plain(what);
        this.err = err;
    }

    @Override
    public void moved(long moved, long total) {
        bytes = moved;
        if (System.nanoTime() - saidAt >= EVERY_NANOS) {
            saidAt = System.nanoTime();
            String whole = total > 0 ? " of " + Words.size(total) : "";
            err.println(what + ": " + Words.size(moved) + whole);
        }
    }

    @Override
    public void done() {
        err.println(what + ": " + Words.size(bytes) + ", done");
    }

    @Override
    public void close() {}
}
