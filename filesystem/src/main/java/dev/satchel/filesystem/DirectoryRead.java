package dev.satchel.filesystem;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** One reading of a directory, made by one walk and perhaps awaited by others. */
final class DirectoryRead {
    private final long number;
    private final long walk;
    private final CountDownLatch made = new CountDownLatch(1);
    private volatile @Nullable DirectoryContents directory;

    /** {@code number} tells when it was begun, {@code walk} which walk makes it. */
    DirectoryRead(long number, long walk) {
        this.number = number;
        this.walk = walk;
    }

    /** Reads a directory. */
    @FunctionalInterface
    interface Reader {
        DirectoryContents read(WorkspacePath directory) throws IOException;
    }

    /** Nobody waits for ever: where it fails, there is just nothing to see. */
    void make(Reader reader, WorkspacePath path) {
        try {
            directory = reader.read(path);
        } catch (IOException _) {
            // whoever needs it reads it again, and hears the reason
        } finally {
            made.countDown();
        }
    }

    long number() {
        return number;
    }

    boolean isOf(long someWalk) {
        return walk == someWalk;
    }

    boolean isMade() {
        return made.getCount() == 0;
    }

    /** Null where it failed. */
    @Nullable DirectoryContents await() throws IOException {
        try {
            made.await();
            return directory;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while a directory is read");
        }
    }
}
