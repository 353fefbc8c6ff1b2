package dev.satchel.server.application;

import dev.satchel.http.Router;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.bag.BagCopier;
import dev.satchel.server.database.Database;
import dev.satchel.server.session.AttachmentDeletion;
import dev.satchel.server.session.AttachmentRoutes;
import dev.satchel.server.session.ExecRoutes;
import dev.satchel.server.session.MessageRoutes;
import dev.satchel.server.session.SessionForker;
import dev.satchel.server.session.SessionRoutes;
import dev.satchel.server.session.SessionService;
import dev.satchel.server.session.SessionTimeline;
import dev.satchel.server.session.ThreadCopier;
import dev.satchel.server.session.TimelineRoutes;
import dev.satchel.server.share.SharePages;
import dev.satchel.server.share.ShareRoutes;
import dev.satchel.server.share.ShareService;
import dev.satchel.server.share.SharedContents;
import dev.satchel.server.turn.TurnService;
import dev.satchel.server.workspace.SessionLookup;
import java.net.URI;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Conversations as sessions of an agent: messages, commands, attachments, the timeline and shares.
 */
final class SessionWiring {
    private static final long MESSAGE_BYTES = 1 << 20;
    private static final Duration SHARE_SWEEP = Duration.ofHours(1);

    private final CommonServices common;
    private final RunWiring runs;
    private final TurnService turns;
    private final SessionLookup lookup;
    private final SessionService sessions;
    private final SessionForker forker;
    private final AttachmentDeletion deletion;
    private final ShareService shares;
    private final SharedContents shared;

    SessionWiring(
            CommonServices common,
            RunWiring runs,
            ConversationWiring conversations,
            WorkspaceWiring workspaces) {
        this.common = common;
        this.runs = runs;
        this.turns = conversations.turns();
        this.lookup = workspaces.sessions();
        Database database = common.database();
        Stores stores = common.stores();
        BagCopier files =
                new BagCopier(database, stores.bags, common.objects(), common.clocks().time());
        SessionService.Stores rows =
                new SessionService.Stores(stores.sessions, stores.conversations, stores.chatAgents);
        this.sessions =
                new SessionService(
                        database,
                        rows,
                        conversations.chats(),
                        conversations.agents(),
                        workspaces.manager());
        this.forker =
                new SessionForker(
                        database,
                        rows,
                        conversations.chats(),
                        new ThreadCopier(
                                database, stores.conversations, files, stores.stagedCopies),
                        conversations.heads(),
                        workspaces.manager());
        this.deletion =
                new AttachmentDeletion(
                        runs.bags(),
                        conversations.chats(),
                        workspaces.copies(),
                        workspaces.manager());
        this.shares =
                new ShareService(
                        database,
                        new ShareService.Stores(
                                stores.shares, stores.conversations, stores.access.users()),
                        runs.bags(),
                        workspaces.manager(),
                        common.clocks().time());
        this.shared =
                new SharedContents(
                        database,
                        stores.shares,
                        stores.conversations,
                        workspaces.workspaces(),
                        runs.downloads());
        common.sweeps().every(SHARE_SWEEP, shares::sweep);
    }

    void addTo(Router router, Authentication access, Supplier<URI> publicUrl) {
        new ShareRoutes(shares, shared, publicUrl, access).addTo(router);
        new SharePages(shares, shared).addTo(router);
        new SessionRoutes(sessions, forker, lookup, access).addTo(router);
        MessageRoutes.Streaming streaming =
                new MessageRoutes.Streaming(
                        runs.streamer(), Application.version(), maxMessageBytes());
        new MessageRoutes(sessions, lookup, turns, streaming, access).addTo(router);
        new ExecRoutes(sessions, lookup, turns, runs.executions(), runs.streamer(), access)
                .addTo(router);
        SessionTimeline timeline =
                new SessionTimeline(
                        common.database(), common.stores().runs, common.stores().runLogs);
        new TimelineRoutes(timeline, lookup, access).addTo(router);
        new AttachmentRoutes(lookup, runs.bags(), runs.downloads(), deletion, access).addTo(router);
    }

    /** A file of the largest size in base64, and the text. */
    private long maxMessageBytes() {
        return runs.bags().limits().maxFileBytes() / 3 * 4 + MESSAGE_BYTES;
    }
}
