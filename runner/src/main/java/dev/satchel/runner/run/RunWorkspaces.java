package dev.satchel.runner.run;

import static dev.satchel.runner.run.RunFailedException.Code.CALLBACK_FAILED;
import static dev.satchel.runner.run.RunFailedException.Code.WORKSPACE_BUSY;

import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.protocol.RunConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The workspaces of runs. A conversation has the same one in all turns. That of a headless run is
 * deleted with the run, unless its server wants it kept; then the server deletes it.
 */
public final class RunWorkspaces {
    /** How long a run waits for a cancelled run to release its workspace. */
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(RunWorkspaces.class);

    private final Path conversations;
    private final Path headless;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition released = lock.newCondition();
    private final Map<WorkspaceId, Cancellation> busy = new HashMap<>();

    /** Removes the workspaces of headless runs of a killed runner. */
    public RunWorkspaces(Path dataDir) throws IOException {
        conversations = dataDir.toAbsolutePath().resolve("workspaces");
        headless = dataDir.toAbsolutePath().resolve("headless");
        Files.createDirectories(conversations);
        Files.createDirectories(headless);
        try (SafeDirectory leftovers = SafeDirectory.open(headless)) {
            for (var entry : leftovers.list(WorkspacePath.ROOT)) {
                leftovers.deleteTree(entry.path());
            }
        }
    }

    /** Opens the workspace of the conversation, or that of a headless run. */
    Workspace open(SandboxRunId run, RunConfig config, Cancellation cancellation)
            throws IOException, InterruptedException, RunFailedException {
        String kept = Boolean.TRUE.equals(config.keepWorkspace()) ? run.value() : null;
        String id = config.chatId() == null ? kept : config.chatId();
        if (id == null) {
            return openHeadless(run);
        }
        try {
            return open(new WorkspaceId(id), cancellation);
        } catch (IllegalArgumentException e) {
            throw new RunFailedException(
                    CALLBACK_FAILED, "The run's chat_id is " + e.getMessage() + ".");
        }
    }

    /** For this run only: a run that still uses it is cancelled. */
    private Workspace open(WorkspaceId id, Cancellation cancellation)
            throws IOException, InterruptedException, RunFailedException {
        acquire(id, cancellation);
        try {
            Path path = Files.createDirectories(conversations.resolve(id.value()));
            return new Workspace(path, () -> release(id));
        } catch (IOException | RuntimeException e) {
            release(id);
            throw e;
        }
    }

    private Workspace openHeadless(SandboxRunId id) throws IOException {
        Path path = Files.createDirectory(headless.resolve(id.value()));
        return new Workspace(path, () -> remove(id));
    }

    /**
     * A conversation has one run at a time. So a run that still uses the workspace has lost its
     * lease, because its server hangs or is disconnected, and is cancelled.
     */
    private void acquire(WorkspaceId id, Cancellation cancellation)
            throws InterruptedException, RunFailedException {
        long left = TIMEOUT.toNanos();
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
                left = released.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    private void release(WorkspaceId id) {
        lock.lock();
        try {
            busy.remove(id);
            released.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void remove(SandboxRunId id) {
        try (SafeDirectory parent = SafeDirectory.open(headless)) {
            parent.deleteTree(new WorkspacePath(id.value()));
        } catch (IOException e) {
            LOG.error("cannot delete a headless workspace run={}", id.value(), e);
        }
    }

    /** A directory reserved for one run until it is closed. */
    record Workspace(Path path, Runnable closing) implements AutoCloseable {
        @Override
        public void close() {
            closing.run();
        }
    }
}
