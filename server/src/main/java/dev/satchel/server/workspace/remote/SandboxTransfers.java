package dev.satchel.server.workspace.remote;

import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.sandbox.RunningSandbox;
import dev.satchel.server.workspace.LiveWorkspaces;
import dev.satchel.server.workspace.WorkspaceLock;
import dev.satchel.server.workspace.WorkspaceTransfer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.http.HttpClient;
import java.util.Objects;
import java.util.Optional;

/**
 * Copies workspaces to sandboxes whose disk is deleted with them: as a whole before the run, and
 * back after it.
 */
public final class SandboxTransfers implements WorkspaceTransfer.Factory {
    private final LiveWorkspaces live;
    private final WorkspaceLock lock;
    private final HttpClient client;

    public SandboxTransfers(LiveWorkspaces live, WorkspaceLock lock, HttpClient client) {
        this.live = live;
        this.lock = lock;
        this.client = client;
    }

    @Override
    public WorkspaceTransfer copyTo(RunningSandbox sandbox, ConversationId id) throws IOException {
        String secret = Objects.requireNonNullElse(sandbox.secret(), "");
        RunnerWorkspaces runner = new RunnerWorkspaces(sandbox.url(), secret, client);
        if (!runner.isSupported()) {
            return WorkspaceTransfer.NONE; // another vendor's runner: only its results are kept
        }
        Optional<SafeDirectory> directory = live.find(id);
        if (directory.isPresent()) {
            try (SafeDirectory open = directory.get()) {
                runner.send(id, open);
            }
        }
        return () -> copyBack(runner, id);
    }

    private void copyBack(RunnerWorkspaces runner, ConversationId id) throws IOException {
        boolean interrupted = Thread.interrupted();
        try (WorkspaceLock.Handle _ = lock.onThisServer(id)) {
            runner.fetch(id, filler -> live.replace(id, filler));
        } catch (InterruptedException e) {
            throw new InterruptedIOException("interrupted while copying a workspace back");
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
