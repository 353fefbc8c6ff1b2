package dev.satchel.server.application;

import dev.satchel.http.Router;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.agent.AgentService;
import dev.satchel.server.agentserver.AgentChatRoutes;
import dev.satchel.server.agentserver.AgentSessionRoutes;
import dev.satchel.server.agentserver.ConversationDeletion;
import dev.satchel.server.bag.BagImport;
import dev.satchel.server.bag.BagService;
import dev.satchel.server.bag.BagStore;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.database.Database;
import dev.satchel.server.deletion.PendingDeletions;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.schedule.Scheduler;
import dev.satchel.server.turn.ChatService;
import dev.satchel.server.turn.TurnRoutes;
import dev.satchel.server.upload.ClaimRoutes;
import dev.satchel.server.upload.UploadClaims;
import dev.satchel.server.upload.UploadRoutes;
import dev.satchel.server.upload.UploadService;
import dev.satchel.server.upload.tus.TusRoutes;
import dev.satchel.server.upload.tus.TusService;
import dev.satchel.server.workspace.WorkspaceManager;
import java.time.Clock;
import java.time.Duration;

/** Uploads before there is a conversation, and the agent-server's routes. */
final class UploadWiring {
    private static final Duration SWEEP = Duration.ofHours(1);

    private final Database database;
    private final ObjectStore objects;
    private final Clock clock;
    private final Router router;
    private final Authentication access;
    private final Scheduler scheduler;

    UploadWiring(
            Database database,
            ObjectStore objects,
            Clock clock,
            Router router,
            Authentication access,
            Scheduler scheduler) {
        this.database = database;
        this.objects = objects;
        this.clock = clock;
        this.router = router;
        this.access = access;
        this.scheduler = scheduler;
    }

    /** What is there already and uploads lead to. */
    record Ground(
            BagService bags,
            BagStore bagStore,
            ConversationStore conversations,
            ChatService chats,
            TurnRoutes turns,
            AgentService agents,
            WorkspaceManager workspaces) {}

    void add(Ground ground, Configuration.Ages ages) {
        PendingDeletions erasures = new PendingDeletions(database, objects, clock);
        UploadService uploads =
                new UploadService(
                        database,
                        objects,
                        erasures,
                        ground.bags().limits(),
                        ages.temporaryUpload(),
                        clock);
        BagImport handovers = new BagImport(ground.bagStore(), ground.bags().limits());
        UploadClaims claims =
                new UploadClaims(uploads, ground.conversations(), ground.bagStore(), handovers);
        ConversationDeletion wipes =
                new ConversationDeletion(
                        database, ground.chats(), uploads, erasures, ground.workspaces(), clock);
        claims.finish(); // what a crash interrupted

        scheduler.every(SWEEP, claims::finish);
        scheduler.every(SWEEP, uploads::sweep);
        scheduler.every(SWEEP, erasures::run);

        new UploadRoutes(uploads, ground.bags(), ground.conversations(), access).addTo(router);
        new TusRoutes(new TusService(uploads, erasures), access).addTo(router);
        new ClaimRoutes(claims, ground.chats(), ground.bags(), access).addTo(router);
        new AgentChatRoutes(claims, ground.chats(), ground.turns(), access).addTo(router);
        new AgentSessionRoutes(
                        ground.chats(), ground.bags(), wipes, ground.agents(), database, access)
                .addTo(router);
    }
}
