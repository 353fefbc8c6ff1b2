package dev.satchel.server.workspace.remote;

import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.filesystem.workspace.WorkspaceDirectories;
import dev.satchel.filesystem.workspace.WorkspaceStream;
import dev.satchel.protocol.Json;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.workspace.LiveWorkspaces;
import dev.satchel.server.workspace.WorkspaceView;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;

/**
 * Live workspaces of a runner on another machine. A runner of another vendor need not have the
 * routes for them; ours reports in its health that it has them.
 */
public final class RunnerWorkspaces implements LiveWorkspaces {
    /** The runner at the same address may be replaced by another kind. */
    private static final Duration HEALTH_IS_VALID = Duration.ofSeconds(30);

    private static final WorkspacePath FILLED = new WorkspacePath("filled");

    private final RunnerClient runner;
    private volatile long checkedNanos;
    private volatile boolean checked;
    private volatile boolean supported;

    /** An empty secret is not sent. */
    public RunnerWorkspaces(URI runner, String secret, HttpClient client) {
        this.runner = new RunnerClient(runner, secret, client);
    }

    @Override
    public boolean areOffered() throws IOException {
        return isSupported();
    }

    @Override
    public boolean areOnThisDisk() {
        return false;
    }

    @Override
    public Optional<WorkspaceView> view(ConversationId id) throws IOException {
        return exists(id) ? Optional.of(new RunnerWorkspaceView(runner, id)) : Optional.empty();
    }

    @Override
    public Optional<SafeDirectory> find(ConversationId id) throws IOException {
        return exists(id) ? Optional.of(new RunnerDirectory(runner, id)) : Optional.empty();
    }

    @Override
    public Optional<SafeDirectory> open(ConversationId id) throws IOException {
        if (!isSupported()) {
            return Optional.empty();
        }
        RunnerDirectory directory = new RunnerDirectory(runner, id);
        directory.createDirectories(WorkspacePath.ROOT);
        return Optional.of(directory);
    }

    @Override
    public boolean isMissing(ConversationId id) throws IOException {
        return isSupported() && !runner.exists(id);
    }

    /** The filler writes to a temporary directory here, which is sent as one stream. */
    @Override
    public void install(ConversationId id, WorkspaceDirectories.Filler filler) throws IOException {
        Path parent = Files.createTempDirectory("satchel-workspace-");
        Path filled = Files.createDirectory(parent.resolve(FILLED.value()));
        try {
            filler.fill(filled);
            try (SafeDirectory directory = SafeDirectory.open(filled)) {
                send(id, directory);
            }
        } finally {
            try (SafeDirectory directory = SafeDirectory.open(parent)) {
                directory.deleteTree(FILLED);
            }
            Files.delete(parent);
        }
    }

    @Override
    public void replace(ConversationId id, WorkspaceDirectories.Filler filler) throws IOException {
        remove(id);
        install(id, filler);
    }

    @Override
    public void remove(ConversationId id) throws IOException {
        if (isSupported()) {
            runner.remove(id);
        }
    }

    /** The runner deletes the files at once in any case. */
    @Override
    public void erase(ConversationId id) throws IOException {
        remove(id);
    }

    @Override
    public List<ConversationId> all() throws IOException {
        if (!isSupported()) {
            return List.of();
        }
        try (InputStream body = runner.ids()) {
            return Stream.of(Json.MAPPER.readValue(body, String[].class))
                    .filter(ConversationId::isValid)
                    .map(ConversationId::new)
                    .toList();
        }
    }

    @Override
    public void touch(ConversationId id) throws IOException {
        RunnerDirectory directory = new RunnerDirectory(runner, id);
        int mode = directory.stat(WorkspacePath.ROOT).mode();
        directory.setAttributes(WorkspacePath.ROOT, mode, Instant.now());
    }

    @Override
    public long changedAt(ConversationId id) throws IOException {
        return new RunnerDirectory(runner, id).stat(WorkspacePath.ROOT).modified().toEpochMilli();
    }

    /** Copies a whole workspace to the runner. */
    void send(ConversationId id, SafeDirectory directory) throws IOException {
        try (FileChannel stream = RunnerClient.temporaryFile()) {
            DataOutputStream out =
                    new DataOutputStream(
                            new BufferedOutputStream(Channels.newOutputStream(stream)));
            WorkspaceStream.writeAll(directory, out);
            out.flush();
            runner.install(id, stream);
        }
    }

    /** Receives a workspace that a filler writes. */
    @FunctionalInterface
    interface Receiver {
        void receive(WorkspaceDirectories.Filler filler) throws IOException;
    }

    /** Copies the whole workspace from the runner, if there is one. */
    void fetch(ConversationId id, Receiver receiver) throws IOException {
        try (DataInputStream in =
                RunnerDirectory.stream(runner.files(id, List.of(WorkspacePath.ROOT)))) {
            receiver.receive(directory -> WorkspaceStream.readAll(in, directory));
        } catch (NoSuchFileException e) {
            return; // the run has created none
        }
    }

    /** Whether the runner has routes for workspaces. */
    boolean isSupported() throws IOException {
        boolean valid = System.nanoTime() - checkedNanos < HEALTH_IS_VALID.toNanos();
        if (!checked || !valid) {
            supported = checkHealth();
            checkedNanos = System.nanoTime();
            checked = true;
        }
        return supported;
    }

    private boolean checkHealth() throws IOException {
        try (InputStream health = runner.health()) {
            return Json.MAPPER.readTree(health).path("workspaces").booleanValue(false);
        } catch (JacksonException e) {
            return false;
        }
    }

    private boolean exists(ConversationId id) throws IOException {
        return isSupported() && runner.exists(id);
    }
}
