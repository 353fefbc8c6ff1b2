package dev.satchel.server.testing;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.concurrent.TimeUnit;

/**
 * Waits for a condition on the folder of a server, which it checks after each change of a file. The
 * database is a file there, so every commit is such a change.
 */
public final class FolderWatch implements AutoCloseable {
    /** The condition to wait for. */
    public interface Condition {
        boolean holds() throws Exception;
    }

    private static final int TIMEOUT_SECONDS = 60;

    private final WatchService changes;

    public FolderWatch(Path folder) throws IOException {
        this.changes = folder.getFileSystem().newWatchService();
        folder.register(
                changes,
                StandardWatchEventKinds.ENTRY_CREATE,
                StandardWatchEventKinds.ENTRY_MODIFY);
    }

    public void until(Condition condition) throws Exception {
        while (!condition.holds()) {
            WatchKey change = changes.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            if (change == null) {
                throw new AssertionError("nothing has changed for " + TIMEOUT_SECONDS + " s");
            }
            change.pollEvents();
            change.reset();
        }
    }

    @Override
    public void close() throws IOException {
        changes.close();
    }
}
