package dev.satchel.server.workspace.files;

import dev.satchel.filesystem.FileStat;
import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.workspace.SessionAccess;
import dev.satchel.server.workspace.SessionErrors;
import dev.satchel.server.workspace.SessionLookup;
import dev.satchel.server.workspace.WorkspaceService;
import dev.satchel.server.workspace.WorkspaceSource;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writing and deleting files of a workspace while no run is active. */
public final class FileChangeRoutes {
    /** 100 MB in base64, and the paths. */
    private static final long MAX_BODY_BYTES = 140L * 1024 * 1024;

    private final SessionLookup sessions;
    private final WorkspaceService workspaces;
    private final SessionAccess access;

    public FileChangeRoutes(
            SessionLookup sessions, WorkspaceService workspaces, SessionAccess access) {
        this.sessions = sessions;
        this.workspaces = workspaces;
        this.access = access;
    }

    public void addTo(Router router) {
        router.post(
                "/api/sessions/{id}/files",
                access.requireCaller(Permission.WRITE_FILES, this::write));
        router.delete(
                "/api/sessions/{id}/files/{path*}",
                access.requireCaller(Permission.WRITE_FILES, this::delete));
    }

    private void write(Exchange exchange, Caller caller) throws IOException, InterruptedException {
        Conversation session = sessions.find(exchange, caller);
        NewFilesRequest files = exchange.readLenientJson(NewFilesRequest.class, MAX_BODY_BYTES);
        FilePrecondition precondition = FilePrecondition.of(exchange);
        if (!precondition.isEmpty() && files.files().size() > 1) {
            throw SessionErrors.invalid("If-Match and If-None-Match are for a single file");
        }
        List<WorkspaceFileWriter.Outcome> outcomes = new ArrayList<>();
        workspaces.change(
                session,
                directory -> {
                    if (!precondition.isEmpty()) {
                        String path = files.pathOf(files.files().getFirst());
                        precondition.require(directory, RequestedPath.parse(path).path());
                    }
                    outcomes.addAll(new WorkspaceFileWriter(directory).write(files));
                });
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("files", outcomes);
        body.put("source", WorkspaceSource.LIVE.wireName());
        exchange.json(200, body);
    }

    private void delete(Exchange exchange, Caller caller) throws IOException, InterruptedException {
        Conversation session = sessions.find(exchange, caller);
        RequestedPath path = RequestedPath.parse(exchange.pathParameter("path"));
        FilePrecondition precondition = FilePrecondition.of(exchange);
        workspaces.change(
                session,
                directory -> {
                    precondition.require(directory, path.path());
                    delete(directory, path);
                });
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("path", path.text());
        body.put("deleted", true);
        exchange.json(200, body);
    }

    /** Deletes a link itself, never its target. */
    private static void delete(SafeDirectory directory, RequestedPath path) throws IOException {
        try {
            FileStat.Kind kind = directory.stat(path.path()).kind();
            if (kind == FileStat.Kind.DIRECTORY || kind == FileStat.Kind.OTHER) {
                throw SessionErrors.notAFile();
            }
            if (path.isDirectoryRequest()) {
                throw SessionErrors.noSuchFile();
            }
            directory.delete(path.path());
        } catch (FileSystemException e) {
            throw SessionErrors.noSuchFile();
        }
    }
}
