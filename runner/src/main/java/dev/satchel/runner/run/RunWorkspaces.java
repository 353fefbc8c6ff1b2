package dev.satchel.runner.run;

import static dev.satchel.runner.run.RunFailedException.Code.CALLBACK_FAILED;
import static dev.satchel.runner.run.RunFailedException.Code.WORKSPACE_BUSY;

import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.WorkspacePath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folders runs work in. A conversation keeps its own from turn to turn; a headless run's goes
 * with the run.
 */
public final class RunWorkspaces {
    /** A cancelled turn may still be unwinding when the next one comes. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(RunWorkspaces.class);

    private final Path kept;
    private final Path headless;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition freed = lock.newCondition();
    private final Map<WorkspaceId, Cancellation> busy = new HashMap<>();

    /** Removes what headless runs of a killed runner have left behind. */
    public RunWorkspaces(Path dataDir) throws IOException {
        kept = dataDir.toAbsolutePath().resolve("workspaces");
        headless = dataDir.toAbsolutePath().resolve("headless");
        Files.createDirectories(kept);
        Files.createDirectories(headless);
        try (SafeDirectory left = SafeDirectory.open(headless)) {
            for (var entry : left.list(WorkspacePath.ROOT)) {
                left.deleteTree(entry.path());
            }
        }
    }

    /** Opens the conversation's workspace; a run without a conversation gets one of its own. */
    Workspace open(SandboxRunId run, @Nullable String chatId, Cancellation cancellation)
            throws IOException, InterruptedException, RunFailedException {
        if (chatId == null) {
            return openHeadless(run);
        }
        try {
            return open(new WorkspaceId(chatId), cancellation);
        } catch (IllegalArgumentException e) {
            throw new RunFailedException(
                    CALLBACK_FAILED, "The run's chat_id is " + e.getMessage() + ".");
        }
    }

    /** Alone; whoever is still in it is sent away. */
    private Workspace open(WorkspaceId id, Cancellation cancellation)
            throws IOException, InterruptedException, RunFailedException {
        occupy(id, cancellation);
        try {
            Path path = Files.createDirectories(kept.resolve(id.value()));
            return new Workspace(path, () -> leave(id));
        } catch (IOException | RuntimeException e) {
            leave(id);
            throw e;
        }
    }

    private Workspace openHeadless(SandboxRunId id) throws IOException {
        Path path = Files.createDirectory(headless.resolve(id.value()));
        return new Workspace(path, () -> remove(id));
    }

    /**
     * A conversation has one run at a time, so one that is still here when the next has its config
     * has lost its lease: its server is frozen or cut off, and only forgot to hang up.
     */
    private void occupy(WorkspaceId id, Cancellation cancellation)
            throws InterruptedException, RunFailedException {
        long left = PATIENCE.toNanos();
        lock.lockInterruptibly();
        try {
            for (Cancellation holder = busy.putIfAbsent(id, cancellation);
                    holder != null;
                    holder = busy.putIfAbsent(id, cancellation)) {
                holder.cancel();
                if (left <= 0) {
                    throw new RunFailedException(
                            WORKSPACE_BUSY, "Another run still works in this conversation.");
                }
                left = freed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    private void leave(WorkspaceId id) {
        lock.lock();
        try {
            busy.remove(id);
            freed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void remove(SandboxRunId id) {
        try (SafeDirectory parent = SafeDirectory.open(headless)) {
            parent.deleteTree(new WorkspacePath(id.value()));
        } catch (IOException e) {
            LOG.error("a headless workspace stays behind run={}", id.value(), e);
        }
    }

    /** A folder that is this run's until it is closed. */
    record Workspace(Path path, Runnable closing) implements AutoCloseable {
        @Override
        public void close() {
            closing.run();
        }
    }
}
