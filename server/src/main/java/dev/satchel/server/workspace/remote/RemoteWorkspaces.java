package dev.satchel.server.workspace.remote;

import static dev.satchel.server.workspace.remote.WorkspaceClient.patient;
import static dev.satchel.server.workspace.remote.WorkspaceClient.with;

import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.protocol.Json;
import dev.satchel.runner.workspace.WorkspaceDirectories;
import dev.satchel.runner.workspace.WorkspaceStream;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.workspace.LiveWorkspaces;
import dev.satchel.server.workspace.WorkspaceView;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Live workspaces on another machine: a runner's, or another server's. */
final class RemoteWorkspaces implements LiveWorkspaces {
    private static final int NOT_FOUND = 404;
    private static final WorkspacePath MADE = new WorkspacePath("made");

    private final WorkspaceClient client;

    RemoteWorkspaces(WorkspaceClient client) {
        this.client = client;
    }

    @Override
    public Optional<WorkspaceView> view(ConversationId id) throws IOException {
        return isMissing(id) ? Optional.empty() : Optional.of(new RemoteWorkspaceView(client, id));
    }

    @Override
    public Optional<SafeDirectory> find(ConversationId id) throws IOException {
        return isMissing(id) ? Optional.empty() : Optional.of(new RemoteDirectory(client, id));
    }

    @Override
    public Optional<SafeDirectory> open(ConversationId id) throws IOException {
        client.tell(with(client.of(id, ""), "POST"), WorkspacePath.ROOT);
        return find(id);
    }

    @Override
    public boolean isMissing(ConversationId id) throws IOException {
        HttpResponse<InputStream> response =
                client.send(with(client.of(id, "stat", WorkspacePath.ROOT), "GET"));
        response.body().close();
        if (response.statusCode() == NOT_FOUND) {
            return true;
        }
        if (response.statusCode() / 100 != 2) {
            throw new IOException("a workspace's host answered " + response.statusCode());
        }
        return false;
    }

    /** Filled here first, since a filling wants a folder. */
    @Override
    public void install(ConversationId id, WorkspaceDirectories.Filling filling)
            throws IOException {
        Path around = Files.createTempDirectory("satchel-workspace-");
        Path made = Files.createDirectory(around.resolve(MADE.value()));
        try {
            filling.into(made);
            try (SafeDirectory directory = SafeDirectory.open(made)) {
                bring(id, directory);
            }
        } finally {
            try (SafeDirectory left = SafeDirectory.open(around)) {
                left.deleteTree(MADE);
            }
            Files.delete(around);
        }
    }

    @Override
    public void erase(ConversationId id) throws IOException {
        remove(id); // the other side clears it at once
    }

    @Override
    public void remove(ConversationId id) throws IOException {
        client.tell(with(patient(client.of(id, "")), "DELETE"), WorkspacePath.ROOT);
    }

    /** The other server decides whether it is one. */
    @Override
    public void removeLeftOver(ConversationId id) throws IOException {
        remove(id);
    }

    @Override
    public List<ConversationId> all() throws IOException {
        try (InputStream body = client.ask(with(client.all(), "GET"), WorkspacePath.ROOT).body()) {
            return Stream.of(Json.MAPPER.readValue(body, String[].class))
                    .filter(ConversationId::isValid)
                    .map(ConversationId::new)
                    .toList();
        } catch (NoSuchFileException e) {
            return List.of(); // a runner from before it could tell
        }
    }

    @Override
    public void touch(ConversationId id) throws IOException {
        RemoteDirectory directory = new RemoteDirectory(client, id);
        int mode = directory.stat(WorkspacePath.ROOT).mode();
        directory.setAttributes(WorkspacePath.ROOT, mode, Instant.now());
    }

    @Override
    public long changedAt(ConversationId id) throws IOException {
        return new RemoteDirectory(client, id).stat(WorkspacePath.ROOT).modified().toEpochMilli();
    }

    /** Takes in what has come from another machine. */
    @FunctionalInterface
    interface Arrival {
        void take(WorkspaceDirectories.Filling filling) throws IOException;
    }

    /** As one stream; what is cut short on its way fails. */
    void fetch(ConversationId id, Arrival arrival) throws IOException {
        try (InputStream body =
                new BufferedInputStream(
                        client.ask(
                                        with(patient(client.of(id, "/content")), "GET"),
                                        WorkspacePath.ROOT)
                                .body())) {
            arrival.take(made -> WorkspaceStream.readAll(body, made));
        } catch (NoSuchFileException e) {
            return; // no run has made one
        }
    }

    /** As one stream. */
    void bring(ConversationId id, SafeDirectory directory) throws IOException {
        try (FileChannel body = SpoolFiles.open()) {
            OutputStream out = new BufferedOutputStream(Channels.newOutputStream(body));
            WorkspaceStream.writeAll(directory, out);
            out.flush();
            client.tell(
                    with(
                            patient(client.of(id, "")),
                            "PUT",
                            BodyPublishers.ofInputStream(() -> fromStart(body))),
                    WorkspacePath.ROOT);
        }
    }

    private static InputStream fromStart(FileChannel channel) {
        try {
            return Channels.newInputStream(channel.position(0));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
