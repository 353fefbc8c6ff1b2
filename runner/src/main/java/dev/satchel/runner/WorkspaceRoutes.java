package dev.satchel.runner;

import dev.satchel.filesystem.NewFile;
import dev.satchel.filesystem.OpenFile;
import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.WorkspaceEntry;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.filesystem.workspace.PathRefusal;
import dev.satchel.filesystem.workspace.WorkspaceDirectories;
import dev.satchel.filesystem.workspace.WorkspaceStream;
import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.Handler;
import dev.satchel.http.Router;
import dev.satchel.http.SatchelException;
import dev.satchel.http.SharedSecret;
import dev.satchel.http.download.Content;
import dev.satchel.http.download.Download;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The runner's workspaces for a server on another machine. A caller must present the shared secret;
 * the server decides which of its clients may see which conversation.
 *
 * <pre>
 * GET    /workspaces             the conversations that have a workspace
 * GET    /workspaces/{id}        all entries; with ?path= one, with &amp;follow=true the file it leads to
 * GET    /workspaces/{id}/file   the content of one file, or a range of it
 * POST   /workspaces/{id}/files  the named files in one stream; "." names all entries
 * PUT    /workspaces/{id}        creates a workspace from such a stream
 * PATCH  /workspaces/{id}        one change: ?change=write|directory|link|attributes|move|delete
 * DELETE /workspaces/{id}        removes a workspace
 * </pre>
 */
public final class WorkspaceRoutes {
    private static final int BUFFER = 64 * 1024;
    private static final long MAX_NAMES_BYTES = 64L * 1024 * 1024;
    private static final String BYTES = "application/octet-stream";

    private final WorkspaceDirectories workspaces;
    private final SharedSecret secret;

    public WorkspaceRoutes(WorkspaceDirectories workspaces, SharedSecret secret) {
        this.workspaces = workspaces;
        this.secret = secret;
    }

    public void addTo(Router router) {
        String one = "/workspaces/{id}";
        router.get("/workspaces", guarded(exchange -> exchange.json(200, workspaces.ids())));
        router.get(one, guarded(in(this::entries)));
        router.get(one + "/file", guarded(in(this::read)));
        router.post(one + "/files", guarded(in(this::files)));
        router.put(one, guarded(this::install));
        router.patch(one, guarded(this::change));
        router.delete(one, guarded(this::remove));
    }

    @FunctionalInterface
    private interface InWorkspace {
        void handle(Exchange exchange, SafeDirectory directory) throws IOException;
    }

    private Handler guarded(Handler handler) {
        return exchange -> {
            secret.require(exchange);
            handler.handle(exchange);
        };
    }

    /** Opens the workspace, and answers a refused path with the reason in a header. */
    private Handler in(InWorkspace handler) {
        return exchange -> {
            try (SafeDirectory directory = open(exchange)) {
                handler.handle(exchange, directory);
            } catch (FileSystemException e) {
                if (exchange.started()) {
                    throw e;
                }
                exchange.header(PathRefusal.HEADER, PathRefusal.text(e)).send(404);
            }
        };
    }

    private void entries(Exchange exchange, SafeDirectory directory) throws IOException {
        if (exchange.query("path").isEmpty()) {
            DataOutputStream out = stream(exchange);
            WorkspaceStream.writeEntries(directory, out);
            out.close();
            return;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        WorkspacePath path = path(exchange, "path");
        if (exchange.query("follow").isPresent()) {
            try (OpenFile file = directory.open(path)) {
                WorkspaceStream.writeEntry(new WorkspaceEntry(path, file.stat()), out);
            }
        } else {
            WorkspaceStream.writeEntry(directory, path, out);
        }
        exchange.body(200, BYTES, bytes.toByteArray());
    }

    private void read(Exchange exchange, SafeDirectory directory) throws IOException {
        try (OpenFile file = directory.open(path(exchange, "path"))) {
            new Download("file", BYTES, new FileContent(file)).send(exchange);
        }
    }

    private void files(Exchange exchange, SafeDirectory directory) throws IOException {
        List<WorkspacePath> files =
                Stream.of(exchange.readLenientJson(String[].class, MAX_NAMES_BYTES))
                        .map(WorkspaceRoutes::path)
                        .toList();
        DataOutputStream out = stream(exchange);
        if (files.contains(WorkspacePath.ROOT)) {
            WorkspaceStream.writeAll(directory, out);
        } else {
            WorkspaceStream.writeFiles(directory, files, out);
        }
        out.close();
    }

    private void install(Exchange exchange) throws IOException {
        DataInputStream body =
                new DataInputStream(new BufferedInputStream(exchange.body(Long.MAX_VALUE), BUFFER));
        try {
            workspaces.install(id(exchange), created -> WorkspaceStream.readAll(body, created));
            exchange.send(204);
        } catch (FileAlreadyExistsException e) {
            throw new SatchelException(ErrorCode.CONFLICT, "there is a workspace already");
        }
    }

    private void change(Exchange exchange) throws Exception {
        String change = exchange.query("change").orElse("");
        if (change.equals("directory") && path(exchange, "path").isRoot()) {
            workspaces.create(id(exchange));
            exchange.send(204);
            return;
        }
        in((it, directory) -> change(it, directory, change)).handle(exchange);
    }

    private static void change(Exchange exchange, SafeDirectory directory, String change)
            throws IOException {
        WorkspacePath path = path(exchange, "path");
        switch (change) {
            case "write" -> write(exchange, directory, path);
            case "directory" -> directory.createDirectories(path);
            case "link" -> directory.link(path, exchange.query("target").orElse(""));
            case "attributes" -> setAttributes(exchange, directory, path);
            case "move" -> directory.rename(path, path(exchange, "to"));
            case "delete" -> directory.delete(path);
            default -> throw invalid("unknown change");
        }
        exchange.send(204);
    }

    private static void write(Exchange exchange, SafeDirectory directory, WorkspacePath path)
            throws IOException {
        try (NewFile file = directory.create(path)) {
            exchange.body(Long.MAX_VALUE).transferTo(Channels.newOutputStream(file.channel()));
            file.commit();
        }
    }

    private static void setAttributes(
            Exchange exchange, SafeDirectory directory, WorkspacePath path) throws IOException {
        try {
            int mode = Integer.parseInt(exchange.query("mode").orElse(""));
            Instant modified = Instant.parse(exchange.query("modified").orElse(""));
            directory.setAttributes(path, mode, modified);
        } catch (NumberFormatException | DateTimeParseException e) {
            throw invalid("mode or modified is missing or invalid");
        }
    }

    private void remove(Exchange exchange) throws IOException {
        workspaces.erase(id(exchange));
        exchange.send(204);
    }

    private static DataOutputStream stream(Exchange exchange) {
        return new DataOutputStream(new BufferedOutputStream(exchange.stream(200, BYTES), BUFFER));
    }

    private SafeDirectory open(Exchange exchange) throws IOException {
        return workspaces
                .find(id(exchange))
                .orElseThrow(() -> new SatchelException(ErrorCode.NOT_FOUND, "no such workspace"));
    }

    /** The id becomes a file name, so dots and slashes at its start are refused. */
    private static String id(Exchange exchange) {
        String id = exchange.pathParameter("id");
        if (!id.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,127}")) {
            throw invalid("invalid workspace id");
        }
        return id;
    }

    private static WorkspacePath path(Exchange exchange, String parameter) {
        return path(exchange.query(parameter).orElse(""));
    }

    private static WorkspacePath path(String value) {
        try {
            return new WorkspacePath(value);
        } catch (IllegalArgumentException e) {
            throw invalid("invalid path");
        }
    }

    private static SatchelException invalid(String message) {
        return new SatchelException(ErrorCode.INVALID_REQUEST, message);
    }

    /** A file that is open; its handler closes it. */
    private record FileContent(OpenFile file) implements Content {
        @Override
        public long size() {
            return file.stat().size();
        }

        @Override
        public String etag() {
            return file.stat().versionTag();
        }

        @Override
        public InputStream open(long offset, long length) throws IOException {
            return Channels.newInputStream(file.channel().position(offset));
        }

        @Override
        public Optional<FileChannel> openFile() {
            return Optional.of(file.channel());
        }
    }
}
