package dev.satchel.server.workspace.files;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.EventStream;
import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.http.SatchelException;
import dev.satchel.protocol.Json;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.workspace.SessionAccess;
import dev.satchel.server.workspace.SessionLookup;
import dev.satchel.server.workspace.WorkspaceService;
import dev.satchel.server.workspace.WorkspaceView;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * {@code GET /api/sessions/{id}/changes}: events for files that are added, changed and removed. It
 * polls, which works for every file system and every runner, and costs one walk a second for each
 * client.
 */
public final class FileWatchRoutes {
    private static final Duration POLL = Duration.ofSeconds(1);
    private static final int POLLS_PER_PING = 15;

    private final SessionLookup sessions;
    private final WorkspaceService workspaces;
    private final SessionAccess access;

    public FileWatchRoutes(
            SessionLookup sessions, WorkspaceService workspaces, SessionAccess access) {
        this.sessions = sessions;
        this.workspaces = workspaces;
        this.access = access;
    }

    public void addTo(Router router) {
        router.get(
                "/api/sessions/{id}/changes",
                access.requireCaller(Permission.READ_FILES, this::follow));
    }

    private void follow(Exchange exchange, Caller caller) throws IOException, InterruptedException {
        SessionLookup.id(exchange);
        ListingFilter filter = FileRoutes.filter(exchange);
        Conversation session = sessions.findReadable(exchange, caller);
        ListingDifference changes = new ListingDifference();
        changes.begin(list(session, filter));
        CountDownLatch disconnected = new CountDownLatch(1);
        exchange.onDisconnect(disconnected::countDown);
        try (EventStream events = exchange.events()) {
            events.send(
                    "ready",
                    Json.MAPPER.writeValueAsString(Map.of("sessionId", session.id().value())));
            int unchanged = 0;
            while (!disconnected.await(POLL.toMillis(), TimeUnit.MILLISECONDS)) {
                if (workspaces.isElsewhere(session)) {
                    return; // the client connects again, and its request is forwarded
                }
                List<ListingDifference.Change> found = changes.next(list(session, filter));
                for (ListingDifference.Change change : found) {
                    events.send("change", Json.MAPPER.writeValueAsString(change));
                }
                unchanged = found.isEmpty() ? unchanged + 1 : 0;
                if (unchanged == POLLS_PER_PING) {
                    events.ping();
                    unchanged = 0;
                }
            }
        }
    }

    /** Empty for a session that has no workspace yet. */
    private List<ListedFile> list(Conversation session, ListingFilter filter) throws IOException {
        try (WorkspaceView view = workspaces.view(session, Optional.empty())) {
            List<ListedFile> files = new ArrayList<>();
            new FileListing(view, filter).each(files::add);
            return files;
        } catch (SatchelException e) {
            if (e.code() != ErrorCode.NOT_FOUND) {
                throw e;
            }
            return List.of();
        }
    }
}
