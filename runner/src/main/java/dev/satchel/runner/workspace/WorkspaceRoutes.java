package dev.satchel.runner.workspace;

import dev.satchel.filesystem.FileStat;
import dev.satchel.filesystem.IrregularFileException;
import dev.satchel.filesystem.NewFile;
import dev.satchel.filesystem.OpenFile;
import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.UnsafePathException;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.Handler;
import dev.satchel.http.Router;
import dev.satchel.http.SatchelException;
import dev.satchel.http.download.Download;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.stream.Stream;

/**
 * The workspaces of this disk for servers on other machines: look, read, change, bring and take
 * away. Whoever calls must know the secret; who may see which conversation is the caller's
 * business.
 */
public final class WorkspaceRoutes {
    /** Says what stood in the way of a path, in one of {@link PathRefusal}'s words. */
    public static final String REFUSAL = "Satchel-Refusal";

    /** What the file is, as {@link WorkspaceEntryLine}. */
    public static final String STAT = "Satchel-Stat";

    private static final int BUFFER = 64 * 1024;
    private static final long MAX_NAMES_BYTES = 64L * 1024 * 1024;

    private final WorkspaceDirectories folder;
    private final SharedSecret secret;
    private final Removal removal;

    public WorkspaceRoutes(WorkspaceDirectories folder, SharedSecret secret, Removal removal) {
        this.folder = folder;
        this.secret = secret;
        this.removal = removal;
    }

    /** How a workspace is taken away when a caller asks for that. */
    @FunctionalInterface
    public interface Removal {
        void remove(String id) throws IOException, InterruptedException;
    }

    public void addTo(Router router, String prefix) {
        String one = prefix + "/{id}";
        router.get(prefix, guarded(exchange -> exchange.json(200, folder.ids())));
        router.get(one, guarded(this::entries));
        router.get(one + "/content", guarded(this::content));
        router.post(one + "/files", guarded(this::files));
        router.post(one, guarded(this::make));
        router.put(one, guarded(this::install));
        router.delete(one, guarded(this::remove));
        router.get(one + "/stat", guarded(in(this::stat)));
        router.get(one + "/file", guarded(in(this::read)));
        router.put(one + "/file", guarded(in(this::write)));
        router.delete(one + "/file", guarded(in(this::delete)));
        router.put(one + "/directory", guarded(in(this::makeDirectory)));
        router.put(one + "/link", guarded(in(this::link)));
        router.put(one + "/attributes", guarded(in(this::setAttributes)));
        router.post(one + "/move", guarded(in(this::move)));
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

    /** Opens the workspace, and says in one word what a path was refused for. */
    private Handler in(InWorkspace handler) {
        return exchange -> {
            try (SafeDirectory directory = open(exchange)) {
                handler.handle(exchange, directory);
            } catch (IrregularFileException e) {
                refuse(exchange, 409, PathRefusal.IRREGULAR.name() + " " + e.kind());
            } catch (UnsafePathException e) {
                refuse(exchange, 409, PathRefusal.UNSAFE.name());
            } catch (FileSystemException e) {
                refuse(exchange, 404, PathRefusal.MISSING.name());
            }
        };
    }

    @FunctionalInterface
    private interface Writing {
        void write(SafeDirectory directory, OutputStream out) throws IOException;
    }

    private void entries(Exchange exchange) throws IOException {
        write(exchange, "application/x-ndjson", WorkspaceStream::writeEntries);
    }

    private void content(Exchange exchange) throws IOException {
        write(exchange, "application/octet-stream", WorkspaceStream::writeAll);
    }

    private void files(Exchange exchange) throws IOException {
        List<WorkspacePath> files =
                Stream.of(exchange.readJson(String[].class, MAX_NAMES_BYTES))
                        .map(WorkspaceRoutes::path)
                        .toList();
        write(
                exchange,
                "application/octet-stream",
                (directory, out) -> WorkspaceStream.writeFiles(directory, files, out));
    }

    private void write(Exchange exchange, String type, Writing writing) throws IOException {
        try (SafeDirectory directory = open(exchange)) {
            OutputStream out = new BufferedOutputStream(exchange.stream(200, type), BUFFER);
            writing.write(directory, out);
            out.close();
        }
    }

    private void make(Exchange exchange) throws IOException {
        folder.make(id(exchange));
        exchange.send(204);
    }

    private void install(Exchange exchange) throws IOException {
        InputStream body = new BufferedInputStream(exchange.body(Long.MAX_VALUE), BUFFER);
        try {
            folder.install(id(exchange), made -> WorkspaceStream.readAll(body, made));
            exchange.send(204);
        } catch (FileAlreadyExistsException e) {
            throw new SatchelException(ErrorCode.CONFLICT, "there is a workspace already");
        }
    }

    private void remove(Exchange exchange) throws IOException, InterruptedException {
        removal.remove(id(exchange));
        exchange.send(204);
    }

    private void stat(Exchange exchange, SafeDirectory directory) throws IOException {
        WorkspacePath path = path(exchange, "path");
        FileStat stat = directory.stat(path);
        String target = stat.kind() == FileStat.Kind.LINK ? directory.readLink(path) : null;
        exchange.json(200, WorkspaceEntryLine.of(stat, target));
    }

    private void read(Exchange exchange, SafeDirectory directory) throws IOException {
        WorkspacePath path = path(exchange, "path");
        try (OpenFile file = directory.open(path)) {
            exchange.header(STAT, WorkspaceEntryLine.of(file.stat(), null).json());
            new Download("file", "application/octet-stream", new OpenWorkspaceFile(file))
                    .send(exchange);
        }
    }

    private void write(Exchange exchange, SafeDirectory directory) throws IOException {
        try (NewFile file = directory.create(path(exchange, "path"))) {
            exchange.body(Long.MAX_VALUE).transferTo(Channels.newOutputStream(file.channel()));
            file.commit();
        }
        exchange.send(204);
    }

    private void delete(Exchange exchange, SafeDirectory directory) throws IOException {
        directory.delete(path(exchange, "path"));
        exchange.send(204);
    }

    private void makeDirectory(Exchange exchange, SafeDirectory directory) throws IOException {
        directory.createDirectories(path(exchange, "path"));
        exchange.send(204);
    }

    private void link(Exchange exchange, SafeDirectory directory) throws IOException {
        directory.link(path(exchange, "path"), exchange.query("target").orElse(""));
        exchange.send(204);
    }

    private void setAttributes(Exchange exchange, SafeDirectory directory) throws IOException {
        try {
            int mode = Integer.parseInt(exchange.query("mode").orElse(""));
            Instant modified = Instant.parse(exchange.query("modified").orElse(""));
            directory.setAttributes(path(exchange, "path"), mode, modified);
        } catch (NumberFormatException | DateTimeParseException e) {
            throw new SatchelException(ErrorCode.INVALID_REQUEST, "no mode or no time");
        }
        exchange.send(204);
    }

    private void move(Exchange exchange, SafeDirectory directory) throws IOException {
        directory.rename(path(exchange, "path"), path(exchange, "to"));
        exchange.send(204);
    }

    private SafeDirectory open(Exchange exchange) throws IOException {
        return folder.find(id(exchange))
                .orElseThrow(() -> new SatchelException(ErrorCode.NOT_FOUND, "no such workspace"));
    }

    /** What the operating system takes for a name of its own is not for callers to choose. */
    private static String id(Exchange exchange) {
        String id = exchange.pathParameter("id");
        if (!id.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,127}")) {
            throw new SatchelException(ErrorCode.INVALID_REQUEST, "this is no id of a workspace");
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
            throw new SatchelException(ErrorCode.INVALID_REQUEST, "this is no path");
        }
    }

    private static void refuse(Exchange exchange, int status, String refusal) {
        exchange.header(REFUSAL, refusal).send(status);
    }
}
