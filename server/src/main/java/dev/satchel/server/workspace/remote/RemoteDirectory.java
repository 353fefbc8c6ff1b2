package dev.satchel.server.workspace.remote;

import static dev.satchel.server.workspace.remote.WorkspaceClient.with;

import dev.satchel.filesystem.FileStat;
import dev.satchel.filesystem.NewFile;
import dev.satchel.filesystem.OpenFile;
import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.WorkspaceEntry;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.filesystem.WorkspaceWalk;
import dev.satchel.protocol.Json;
import dev.satchel.runner.workspace.WorkspaceEntryLine;
import dev.satchel.runner.workspace.WorkspaceRoutes;
import dev.satchel.runner.workspace.WorkspaceStream;
import dev.satchel.server.conversation.ConversationId;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A workspace on another machine. Every path is resolved there, by the kernel; what is opened here
 * is a copy.
 */
final class RemoteDirectory implements SafeDirectory {
    private final WorkspaceClient client;
    private final ConversationId id;
    private @Nullable RemoteFileStream expected;

    RemoteDirectory(WorkspaceClient client, ConversationId id) {
        this.client = client;
        this.id = id;
    }

    /** In one answer; one that is then opened out of turn is asked for by itself. */
    @Override
    public void expect(List<WorkspacePath> files) throws IOException {
        close();
        byte[] names =
                Json.MAPPER.writeValueAsBytes(files.stream().map(WorkspacePath::value).toList());
        HttpRequest request =
                with(
                        WorkspaceClient.patient(client.of(id, "/files")),
                        "POST",
                        BodyPublishers.ofByteArray(names));
        HttpResponse<InputStream> response = client.send(request);
        if (response.statusCode() != 200) {
            response.body().close(); // a runner from before it could: they come one by one
            return;
        }
        expected = new RemoteFileStream(response.body(), files);
    }

    @Override
    public OpenFile open(WorkspacePath path) throws IOException {
        if (expected != null && expected.isNext(path)) {
            return expected.open(path);
        }
        HttpResponse<InputStream> response =
                client.ask(with(client.of(id, "file", path), "GET"), path);
        FileChannel copy = SpoolFiles.open();
        try (InputStream body = response.body()) {
            body.transferTo(Channels.newOutputStream(copy));
            return new OpenFile(copy.position(0), statOf(response));
        } catch (IOException e) {
            copy.close();
            throw e;
        }
    }

    @Override
    public FileStat stat(WorkspacePath path) throws IOException {
        return line(path).stat();
    }

    @Override
    public String readLink(WorkspacePath path) throws IOException {
        String target = line(path).target();
        if (target == null) {
            throw new NoSuchFileException(path.value());
        }
        return target;
    }

    @Override
    public List<WorkspaceEntry> list(WorkspacePath directory) throws IOException {
        List<WorkspaceEntry> found = byParent().get(directory);
        if (found == null && !stat(directory).isDirectory()) {
            throw new java.nio.file.NotDirectoryException(directory.value());
        }
        return found == null ? List.of() : List.copyOf(found);
    }

    /** Asks once for everything. */
    @Override
    public WorkspaceWalk walk(WorkspacePath start) {
        return new WorkspaceWalk(new Fetched(), start);
    }

    private final class Fetched implements WorkspaceWalk.Lister {
        private @Nullable Map<WorkspacePath, List<WorkspaceEntry>> all;

        @Override
        public List<WorkspaceEntry> list(WorkspacePath directory) throws IOException {
            if (all == null) {
                all = byParent();
            }
            return all.getOrDefault(directory, List.of());
        }
    }

    @Override
    public NewFile create(WorkspacePath path) throws IOException {
        return new RemoteNewFile(client, id, path, SpoolFiles.open());
    }

    @Override
    public void createDirectories(WorkspacePath path) throws IOException {
        client.tell(with(client.of(id, "directory", path), "PUT"), path);
    }

    @Override
    public void link(WorkspacePath path, String target) throws IOException {
        String query =
                "/link?path="
                        + WorkspaceClient.encoded(path)
                        + "&target="
                        + WorkspaceClient.encoded(target);
        client.tell(with(client.of(id, query), "PUT"), path);
    }

    @Override
    public void setAttributes(WorkspacePath path, int mode, Instant modified) throws IOException {
        String query =
                "/attributes?path="
                        + WorkspaceClient.encoded(path)
                        + "&mode="
                        + mode
                        + "&modified="
                        + modified;
        client.tell(with(client.of(id, query), "PUT"), path);
    }

    @Override
    public void rename(WorkspacePath from, WorkspacePath to) throws IOException {
        String query =
                "/move?path="
                        + WorkspaceClient.encoded(from)
                        + "&to="
                        + WorkspaceClient.encoded(to);
        client.tell(with(client.of(id, query), "POST"), from);
    }

    @Override
    public void delete(WorkspacePath path) throws IOException {
        client.tell(with(client.of(id, "file", path), "DELETE"), path);
    }

    @Override
    public void close() {
        if (expected != null) {
            expected.close();
            expected = null;
        }
    }

    static FileStat statOf(HttpResponse<?> response) throws IOException {
        String stat =
                response.headers()
                        .firstValue(WorkspaceRoutes.STAT)
                        .orElseThrow(() -> new IOException("a file without a stat"));
        return WorkspaceEntryLine.parse(stat).stat();
    }

    private WorkspaceEntryLine line(WorkspacePath path) throws IOException {
        try (InputStream body = client.ask(with(client.of(id, "stat", path), "GET"), path).body()) {
            return Json.MAPPER.readValue(body, WorkspaceEntryLine.class);
        }
    }

    private Map<WorkspacePath, List<WorkspaceEntry>> byParent() throws IOException {
        Map<WorkspacePath, List<WorkspaceEntry>> entries = new HashMap<>();
        HttpResponse<InputStream> response =
                client.ask(with(client.of(id, ""), "GET"), WorkspacePath.ROOT);
        try (InputStream body = new BufferedInputStream(response.body())) {
            for (WorkspaceEntryLine line : WorkspaceStream.readEntries(body)) {
                WorkspaceEntry entry = line.entry();
                entries.computeIfAbsent(entry.path().parent(), _ -> new ArrayList<>()).add(entry);
            }
        }
        return entries;
    }
}
