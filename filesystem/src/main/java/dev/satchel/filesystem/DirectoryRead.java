package dev.satchel.filesystem;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** One read of a directory, done by one walk; other walks may wait for it. */
final class DirectoryRead {
    private final long number;
    private final long walk;
    private final CountDownLatch done = new CountDownLatch(1);
    private volatile @Nullable DirectoryContents contents;

    /** {@code number} is the position among reads and walks, {@code walk} the walk that reads. */
    DirectoryRead(long number, long walk) {
        this.number = number;
        this.walk = walk;
    }

    /** Reads a directory. */
    @FunctionalInterface
    interface Reader {
        DirectoryContents read(WorkspacePath directory) throws IOException;
    }

    /** Ends in any case, so that no walk waits forever. */
    void run(Reader reader, WorkspacePath path) {
        try {
            contents = reader.read(path);
        } catch (IOException _) {
            // a walk that needs the directory reads it again and gets the reason
        } finally {
            done.countDown();
        }
    }

    long number() {
        return number;
    }

    boolean isOf(long someWalk) {
        return walk == someWalk;
    }

    boolean isDone() {
        return done.getCount() == 0;
    }

    /** Null if the read failed. */
    @Nullable DirectoryContents await() throws IOException {
        try {
            done.await();
            return contents;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for a directory");
        }
    }
}
