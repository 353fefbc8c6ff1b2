package dev.satchel.server.workspace.remote;

import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.protocol.Json;
import dev.satchel.runner.workspace.WorkspaceDirectories;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.sandbox.RunningSandbox;
import dev.satchel.server.workspace.LiveWorkspaces;
import dev.satchel.server.workspace.WorkspaceView;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import tools.jackson.core.JacksonException;

/**
 * Live workspaces of a runner on another machine. A runner may be anybody's program and need not
 * show them; ours says in its health that it does.
 */
public final class RunnerWorkspaces implements LiveWorkspaces {
    /** A runner may be replaced by another kind. */
    private static final Duration ASKED_AGAIN = Duration.ofSeconds(30);

    private final WorkspaceClient runner;
    private final RemoteWorkspaces remote;
    private volatile long askedNanos;
    private volatile boolean shows;
    private volatile boolean asked;

    /** An empty secret is none. */
    public RunnerWorkspaces(URI runner, String secret) {
        this(runner, secret, WorkspaceClient.newHttpClient());
    }

    /** Those of the runner in a sandbox. */
    public static RunnerWorkspaces in(RunningSandbox sandbox, HttpClient client) {
        String secret = Objects.requireNonNullElse(sandbox.secret(), "");
        return new RunnerWorkspaces(sandbox.url(), secret, client);
    }

    private RunnerWorkspaces(URI runner, String secret, HttpClient client) {
        this.runner = new WorkspaceClient(runner, secret, client);
        this.remote =
                new RemoteWorkspaces(
                        new WorkspaceClient(URI.create(runner + "/workspaces"), secret, client));
    }

    @Override
    public Optional<WorkspaceView> view(ConversationId id) throws IOException {
        return shows() ? remote.view(id) : Optional.empty();
    }

    @Override
    public Optional<SafeDirectory> find(ConversationId id) throws IOException {
        return shows() ? remote.find(id) : Optional.empty();
    }

    @Override
    public Optional<SafeDirectory> open(ConversationId id) throws IOException {
        return shows() ? remote.open(id) : Optional.empty();
    }

    @Override
    public boolean isMissing(ConversationId id) throws IOException {
        return shows() && remote.isMissing(id);
    }

    @Override
    public void install(ConversationId id, WorkspaceDirectories.Filling filling)
            throws IOException {
        remote.install(id, filling);
    }

    @Override
    public void erase(ConversationId id) throws IOException {
        remove(id); // the other side clears it at once
    }

    @Override
    public void remove(ConversationId id) throws IOException {
        if (shows()) {
            remote.remove(id);
        }
    }

    @Override
    public List<ConversationId> all() throws IOException {
        return shows() ? remote.all() : List.of();
    }

    @Override
    public void touch(ConversationId id) throws IOException {
        remote.touch(id);
    }

    @Override
    public long changedAt(ConversationId id) throws IOException {
        return remote.changedAt(id);
    }

    /** Makes a copy of a whole workspace there. */
    void bring(ConversationId id, SafeDirectory directory) throws IOException {
        remote.bring(id, directory);
    }

    /** Passes on what brings the whole of one here, if there is one. */
    void fetch(ConversationId id, RemoteWorkspaces.Arrival arrival) throws IOException {
        remote.fetch(id, arrival);
    }

    boolean shows() throws IOException {
        boolean fresh = System.nanoTime() - askedNanos < ASKED_AGAIN.toNanos();
        if (!asked || !fresh) {
            shows = ask(); // one that does not answer is asked again next time
            askedNanos = System.nanoTime();
            asked = true;
        }
        return shows;
    }

    private boolean ask() throws IOException {
        try (InputStream health = runner.health()) {
            return Json.MAPPER.readTree(health).path("workspaces").booleanValue(false);
        } catch (JacksonException e) {
            return false;
        }
    }
}
