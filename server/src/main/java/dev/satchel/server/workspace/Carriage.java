package dev.satchel.server.workspace;

import dev.satchel.runner.workspace.SafeDirectory;
import dev.satchel.server.conversation.ConversationId;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;

/**
 * A workspace on its way through a sandbox that has a disk of its own and takes it along when it
 * goes: brought in whole before the run, and home again when this is closed.
 */
public final class Carriage implements AutoCloseable {
    /** For a sandbox that works in the live workspace itself. */
    static final Carriage NONE = new Carriage(() -> {});

    private final Journey home;

    private Carriage(Journey home) {
        this.home = home;
    }

    @FunctionalInterface
    private interface Journey {
        void go() throws IOException, InterruptedException;
    }

    static Carriage into(
            RunnerWorkspaces sandbox, ConversationId id, LiveWorkspaces live, WorkspaceGate gate)
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
        return new Carriage(
                () -> {
                    try (WorkspaceGate.Pass _ = gate.here(id)) {
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
