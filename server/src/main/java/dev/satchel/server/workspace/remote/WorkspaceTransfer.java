package dev.satchel.server.workspace.remote;

import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.workspace.LiveWorkspaces;
import dev.satchel.server.workspace.WorkspaceLock;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;

/**
 * A workspace on its way through a sandbox that has a disk of its own and takes it along when it
 * goes: brought in whole before the run, and home again when this is closed.
 */
public final class WorkspaceTransfer implements AutoCloseable {
    /** For a sandbox that works in the live workspace itself. */
    public static final WorkspaceTransfer NONE = new WorkspaceTransfer(() -> {});

    private final Journey home;

    private WorkspaceTransfer(Journey home) {
        this.home = home;
    }

    @FunctionalInterface
    private interface Journey {
        void go() throws IOException, InterruptedException;
    }

    public static WorkspaceTransfer into(
            RunnerWorkspaces sandbox, ConversationId id, LiveWorkspaces live, WorkspaceLock gate)
            throws IOException {
        if (!sandbox.shows()) {
            return NONE; // somebody else's runner: only what it hands in stays
        }
        Optional<SafeDirectory> directory = live.find(id);
        if (directory.isPresent()) {
            try (SafeDirectory open = directory.get()) {
                sandbox.bring(id, open);
            }
        }
        return new WorkspaceTransfer(
                () -> {
                    try (WorkspaceLock.Pass _ = gate.here(id)) {
                        sandbox.fetch(id, filling -> live.replace(id, filling));
                    }
                });
    }

    /** To the end, even when the run is being cancelled: what it made by then is kept. */
    @Override
    public void close() throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            home.go();
        } catch (InterruptedException e) {
            throw new InterruptedIOException("a second interrupt while files came home");
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
