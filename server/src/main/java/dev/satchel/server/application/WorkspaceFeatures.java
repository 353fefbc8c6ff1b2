package dev.satchel.server.application;

import dev.satchel.http.Router;
import dev.satchel.server.access.Access;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.database.Database;
import dev.satchel.server.workspace.ArchiveRoutes;
import dev.satchel.server.workspace.FileChangeRoutes;
import dev.satchel.server.workspace.FileRoutes;
import dev.satchel.server.workspace.LiveWorkspaces;
import dev.satchel.server.workspace.SessionLookup;
import dev.satchel.server.workspace.Workspaces;

/** The workspaces of conversations, to read, to change and to take home. */
final class WorkspaceFeatures {
    private final SessionLookup sessions;
    private final Workspaces workspaces;

    WorkspaceFeatures(Database database, LiveWorkspaces live) {
        this.sessions = new SessionLookup(database, new ConversationStore());
        this.workspaces = new Workspaces(live);
    }

    void addTo(Router router, Access access) {
        new FileRoutes(sessions, workspaces, access).addTo(router);
        new FileChangeRoutes(sessions, workspaces, access).addTo(router);
        new ArchiveRoutes(sessions, workspaces, access).addTo(router);
    }
}
