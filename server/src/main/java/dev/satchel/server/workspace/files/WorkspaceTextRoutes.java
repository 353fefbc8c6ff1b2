package dev.satchel.server.workspace.files;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.document.ExtractionUnavailableException;
import dev.satchel.server.document.FileTextView;
import dev.satchel.server.document.UnindexedFileTexts;
import dev.satchel.server.snapshot.SnapshotId;
import dev.satchel.server.workspace.SessionAccess;
import dev.satchel.server.workspace.SessionErrors;
import dev.satchel.server.workspace.SessionLookup;
import dev.satchel.server.workspace.WorkspaceFile;
import dev.satchel.server.workspace.WorkspaceService;
import dev.satchel.server.workspace.WorkspaceView;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalInt;

/** {@code GET /api/sessions/{id}/text/…}: the text of a file, live or of a snapshot. */
public final class WorkspaceTextRoutes {
    private final SessionLookup sessions;
    private final WorkspaceService workspaces;
    private final UnindexedFileTexts texts;
    private final SessionAccess access;

    public WorkspaceTextRoutes(
            SessionLookup sessions,
            WorkspaceService workspaces,
            UnindexedFileTexts texts,
            SessionAccess access) {
        this.sessions = sessions;
        this.workspaces = workspaces;
        this.texts = texts;
        this.access = access;
    }

    public void addTo(Router router) {
        router.get(
                "/api/sessions/{id}/text/{path*}",
                access.requireCallerOfSlowRead(Permission.READ_FILES, this::read));
    }

    private void read(Exchange exchange, Caller caller) throws IOException, InterruptedException {
        SessionLookup.id(exchange);
        OptionalInt page = page(exchange);
        Optional<SnapshotId> at = SnapshotRoutes.requested(exchange, "at");
        Conversation session = sessions.findReadable(exchange, caller);
        RequestedPath path = RequestedPath.parse(exchange.pathParameter("path"));
        try (WorkspaceView view = workspaces.view(session, at);
                WorkspaceFile file = FileRoutes.open(view, path)) {
            FileTextView text = texts.read(caller.tenant(), path.filename(), file, page);
            exchange.header("X-Ash-Source", view.source().wireName())
                    .header("Cache-Control", "no-store")
                    .json(200, text);
        } catch (ExtractionUnavailableException e) {
            throw new SatchelException(ErrorCode.UNAVAILABLE, String.valueOf(e.getMessage()));
        }
    }

    private static OptionalInt page(Exchange exchange) {
        Optional<String> page = exchange.query("page");
        if (page.isEmpty()) {
            return OptionalInt.empty();
        }
        if (!page.get().matches("[1-9][0-9]{0,8}")) {
            throw SessionErrors.invalid("querystring/page must be a number from 1 on");
        }
        return OptionalInt.of(Integer.parseInt(page.get()));
    }
}
