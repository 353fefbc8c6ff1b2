package dev.satchel.server.workspace.archive;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.snapshot.SnapshotId;
import dev.satchel.server.workspace.SessionAccess;
import dev.satchel.server.workspace.SessionLookup;
import dev.satchel.server.workspace.WorkspaceService;
import dev.satchel.server.workspace.WorkspaceView;
import dev.satchel.server.workspace.files.FileRoutes;
import dev.satchel.server.workspace.files.ListingFilter;
import dev.satchel.server.workspace.files.SnapshotRoutes;
import dev.satchel.server.workspace.files.WorkspaceLimits;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URLEncoder;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code /api/sessions/{id}/workspace}: a whole workspace as tar.gz or zip, and from tar.gz. */
public final class ArchiveRoutes {
    /** A hundred megabytes in base64. */
    private static final long MAX_BODY_BYTES = 140L * 1024 * 1024;

    /** Names what an archive does not have, since it is known before the archive is written. */
    private static final String LEFT_OUT = "Satchel-Left-Out";

    /** More would not fit the header of a response. */
    private static final int MAX_LEFT_OUT_BYTES = 4 * 1024;

    private final SessionLookup sessions;
    private final WorkspaceService workspaces;
    private final WorkspaceLimits limits;
    private final SessionAccess access;

    public ArchiveRoutes(
            SessionLookup sessions,
            WorkspaceService workspaces,
            WorkspaceLimits limits,
            SessionAccess access) {
        this.sessions = sessions;
        this.workspaces = workspaces;
        this.limits = limits;
        this.access = access;
    }

    public void addTo(Router router) {
        router.get(
                "/api/sessions/{id}/workspace",
                access.requireCaller(Permission.READ_FILES, this::download));
        router.post(
                "/api/sessions/{id}/workspace",
                access.requireCaller(Permission.WRITE_FILES, this::upload));
    }

    private void upload(Exchange exchange, Caller caller) throws IOException, InterruptedException {
        Conversation session = sessions.find(exchange, caller);
        WorkspaceImport bundle = exchange.readLenientJson(WorkspaceImport.class, MAX_BODY_BYTES);
        workspaces.change(session, directory -> bundle.unpackInto(directory, limits));
        exchange.json(200, Map.of("message", "Workspace restored"));
    }

    private void download(Exchange exchange, Caller caller) throws IOException {
        SessionLookup.id(exchange);
        ListingFilter filter = FileRoutes.filter(exchange);
        ArchiveFormat archive =
                SessionLookup.choice(exchange, "format", List.of("tar.gz", "zip"))
                                .filter("zip"::equals)
                                .isPresent()
                        ? ArchiveFormat.ZIP
                        : ArchiveFormat.TAR_GZ;
        Optional<SnapshotId> at = SnapshotRoutes.requested(exchange, "at");
        Conversation session = sessions.findReadable(exchange, caller);
        try (WorkspaceView view = workspaces.view(session, at)) {
            String name = session.id().value() + "." + archive.extension();
            exchange.header("X-Ash-Source", view.source().wireName())
                    .header("Cache-Control", "no-store")
                    .header("Content-Disposition", "attachment; filename=\"" + name + "\"");
            List<WorkspacePath> leftOut = archive.leftOut(view, filter);
            if (!leftOut.isEmpty()) {
                exchange.header(LEFT_OUT, paths(leftOut));
            }
            OutputStream out = exchange.stream(200, archive.contentType());
            if (!exchange.isHead()) {
                archive.write(view, filter, out);
            }
            out.close();
        }
    }

    /** Percent-encoded paths; the number of the others follows if there are too many. */
    private static String paths(List<WorkspacePath> leftOut) {
        StringBuilder text = new StringBuilder();
        int written = 0;
        for (WorkspacePath path : leftOut) {
            String encoded = URLEncoder.encode(path.value(), UTF_8).replace("+", "%20");
            if (text.length() + encoded.length() > MAX_LEFT_OUT_BYTES) {
                return text + (written == 0 ? "" : ", ") + "+" + (leftOut.size() - written);
            }
            text.append(written == 0 ? "" : ", ").append(encoded.replace("%2F", "/"));
            written++;
        }
        return text.toString();
    }
}
