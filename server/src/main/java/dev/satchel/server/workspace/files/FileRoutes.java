package dev.satchel.server.workspace.files;

import dev.satchel.filesystem.IrregularFileException;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.http.Exchange;
import dev.satchel.http.OffHeapBody;
import dev.satchel.http.Router;
import dev.satchel.http.download.Download;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.file.ContentTypeDetector;
import dev.satchel.server.snapshot.SnapshotId;
import dev.satchel.server.workspace.SessionAccess;
import dev.satchel.server.workspace.SessionErrors;
import dev.satchel.server.workspace.SessionLookup;
import dev.satchel.server.workspace.WorkspaceFile;
import dev.satchel.server.workspace.WorkspaceService;
import dev.satchel.server.workspace.WorkspaceSource;
import dev.satchel.server.workspace.WorkspaceView;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code GET /api/sessions/{id}/files} and each file beneath, live or of a snapshot. */
public final class FileRoutes {
    private static final long MAX_RAW_BYTES = 100L * 1024 * 1024;
    private static final long MAX_JSON_BYTES = 1024 * 1024;

    private final SessionLookup sessions;
    private final WorkspaceService workspaces;
    private final SessionAccess access;

    public FileRoutes(SessionLookup sessions, WorkspaceService workspaces, SessionAccess access) {
        this.sessions = sessions;
        this.workspaces = workspaces;
        this.access = access;
    }

    public void addTo(Router router) {
        router.get(
                "/api/sessions/{id}/files",
                access.requireCaller(Permission.READ_FILES, this::list));
        router.get(
                "/api/sessions/{id}/files/{path*}",
                access.requireCaller(Permission.READ_FILES, this::read));
    }

    private void list(Exchange exchange, Caller caller) throws IOException {
        SessionLookup.id(exchange);
        ListingFilter filter = filter(exchange);
        Page page = Page.of(exchange);
        Optional<SnapshotId> at = SnapshotRoutes.requested(exchange, "at");
        Conversation session = sessions.findReadable(exchange, caller);
        try (WorkspaceView view = workspaces.view(session, at);
                OffHeapBody body = new OffHeapBody()) {
            page.write(new FileListing(view, filter), view.source(), new FileListingJson(body));
            exchange.header("Cache-Control", "no-store")
                    .body(200, "application/json; charset=utf-8", body);
        }
    }

    private void read(Exchange exchange, Caller caller) throws IOException {
        SessionLookup.id(exchange);
        Optional<String> format = SessionLookup.choice(exchange, "format", List.of("raw", "json"));
        Optional<SnapshotId> at = SnapshotRoutes.requested(exchange, "at");
        Conversation session = sessions.findReadable(exchange, caller);
        RequestedPath path = RequestedPath.parse(exchange.pathParameter("path"));
        boolean json = format.filter("json"::equals).isPresent();
        try (WorkspaceView view = workspaces.view(session, at);
                WorkspaceFile file = open(view, path)) {
            long limit = json ? MAX_JSON_BYTES : MAX_RAW_BYTES;
            if (file.size() > limit) {
                throw SessionErrors.tooLarge(file.size(), limit);
            }
            if (json) {
                sendJson(exchange, view.source(), path, file);
            } else {
                sendRaw(exchange, view.source(), path, file);
            }
        }
    }

    /** Sends the file of the path, from a view that the caller closes. */
    public static void send(Exchange exchange, WorkspaceView view) throws IOException {
        RequestedPath path = RequestedPath.parse(exchange.pathParameter("path"));
        try (WorkspaceFile file = open(view, path)) {
            if (file.size() > MAX_RAW_BYTES) {
                throw SessionErrors.tooLarge(file.size(), MAX_RAW_BYTES);
            }
            sendRaw(exchange, view.source(), path, file);
        }
    }

    static WorkspaceFile open(WorkspaceView view, RequestedPath path) throws IOException {
        try {
            WorkspaceFile file = view.open(path.path());
            if (path.isDirectoryRequest()) {
                file.close();
                throw SessionErrors.noSuchFile();
            }
            return file;
        } catch (IrregularFileException e) {
            throw SessionErrors.notAFile();
        } catch (FileSystemException e) {
            throw SessionErrors.noSuchFile(); // missing, or a link leads out
        }
    }

    private static void sendRaw(
            Exchange exchange, WorkspaceSource source, RequestedPath path, WorkspaceFile file)
            throws IOException {
        exchange.header("X-Ash-Source", source.wireName());
        String type = ContentTypeDetector.byExtension(path.filename());
        new Download(path.filename(), type, file, Download.Naming.EXTENDED_ONLY).send(exchange);
    }

    /** Bytes that are not UTF-8 become U+FFFD; {@code size} is the size of the file. */
    private static void sendJson(
            Exchange exchange, WorkspaceSource source, RequestedPath path, WorkspaceFile file)
            throws IOException {
        byte[] bytes;
        try (InputStream in = file.open(0, file.size())) {
            bytes = in.readNBytes((int) MAX_JSON_BYTES);
        }
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("path", path.text());
        body.put("content", new String(bytes, StandardCharsets.UTF_8));
        body.put("size", bytes.length);
        body.put("source", source.wireName());
        exchange.json(200, body);
    }

    public static ListingFilter filter(Exchange exchange) {
        return SessionLookup.choice(exchange, "includeHidden", List.of("true", "false"))
                        .filter("true"::equals)
                        .isPresent()
                ? ListingFilter.NONE
                : ListingFilter.DEFAULT;
    }

    /** A listing is complete unless a client requests pages. */
    private record Page(Optional<WorkspacePath> after, Optional<Integer> limit) {
        private static final int MAX_LIMIT = 10_000;

        static Page of(Exchange exchange) {
            return new Page(
                    exchange.query("cursor").map(PathCursor::parse),
                    exchange.query("limit").map(Page::limit));
        }

        void write(FileListing listing, WorkspaceSource source, FileListingJson json)
                throws IOException {
            if (after.isEmpty() && limit.isEmpty()) {
                listing.each(json::add);
                json.end(source, Optional.empty());
                return;
            }
            int maximum = limit.orElse(Integer.MAX_VALUE - 1);
            List<ListedFile> files = listing.after(after, maximum + 1);
            boolean more = files.size() > maximum;
            List<ListedFile> shown = more ? files.subList(0, maximum) : files;
            shown.forEach(json::add);
            json.end(source, Optional.of(more ? PathCursor.of(shown.getLast().path()) : ""));
        }

        private static int limit(String text) {
            try {
                int limit = Integer.parseInt(text);
                if (limit >= 1 && limit <= MAX_LIMIT) {
                    return limit;
                }
            } catch (NumberFormatException e) {
                // thrown below
            }
            throw SessionErrors.invalid("querystring/limit must be 1 to " + MAX_LIMIT);
        }
    }

    /** The end of a page: its last path, so that it stays valid when files are added or removed. */
    static final class PathCursor {
        private PathCursor() {}

        static String of(String path) {
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(path.getBytes(StandardCharsets.UTF_8));
        }

        static WorkspacePath parse(String cursor) {
            try {
                return new WorkspacePath(
                        new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8));
            } catch (IllegalArgumentException e) {
                throw SessionErrors.invalid("querystring/cursor is not one that a listing gave");
            }
        }
    }
}
