package dev.satchel.server.application;

import dev.satchel.http.Router;
import dev.satchel.server.access.Access;
import dev.satchel.server.agent.Agents;
import dev.satchel.server.bag.BagStore;
import dev.satchel.server.bag.Bags;
import dev.satchel.server.bag.Handovers;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.database.Database;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.schedule.Scheduler;
import dev.satchel.server.turn.Chats;
import dev.satchel.server.turn.TurnRoutes;
import dev.satchel.server.upload.AgentChatRoutes;
import dev.satchel.server.upload.ClaimRoutes;
import dev.satchel.server.upload.Claims;
import dev.satchel.server.upload.Erasures;
import dev.satchel.server.upload.SessionRoutes;
import dev.satchel.server.upload.TusRoutes;
import dev.satchel.server.upload.TusUploads;
import dev.satchel.server.upload.UploadRoutes;
import dev.satchel.server.upload.Uploads;
import dev.satchel.server.upload.Wipes;
import dev.satchel.server.workspace.WorkspaceKeeper;

import java.time.Clock;
import java.time.Duration;

/** Uploads before there is a conversation, and the agent-server's routes. */
final class UploadFeatures {
    private static final Duration SWEEP = Duration.ofHours(1);

    private final Database database;
    private final ObjectStore objects;
    private final Clock clock;
    private final Router router;
    private final Access access;
    private final Scheduler scheduler;

    UploadFeatures(
            Database database,
            ObjectStore objects,
            Clock clock,
            Router router,
            Access access,
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
            Bags bags,
            BagStore bagStore,
            ConversationStore conversations,
            Chats chats,
            TurnRoutes turns,
            Agents agents,
            WorkspaceKeeper workspaces) {}

    void add(Ground ground, Configuration.Ages ages) {
        Erasures erasures = new Erasures(database, objects, clock);
        Uploads uploads =
                new Uploads(
                        database,
                        objects,
                        erasures,
                        ground.bags().limits(),
                        ages.temporaryUpload(),
                        clock);
        Handovers handovers = new Handovers(ground.bagStore(), ground.bags().limits());
        Claims claims = new Claims(uploads, ground.conversations(), ground.bagStore(), handovers);
        Wipes wipes =
                new Wipes(database, ground.chats(), uploads, erasures, ground.workspaces(), clock);
        claims.finish(); // what a crash interrupted

        scheduler.every(SWEEP, claims::finish);
        scheduler.every(SWEEP, uploads::sweep);
        scheduler.every(SWEEP, erasures::run);

        new UploadRoutes(uploads, ground.bags(), ground.conversations(), access).addTo(router);
        new TusRoutes(new TusUploads(uploads, erasures), access).addTo(router);
        new ClaimRoutes(claims, ground.chats(), ground.bags(), access).addTo(router);
        new AgentChatRoutes(claims, ground.chats(), ground.turns(), access).addTo(router);
        new SessionRoutes(ground.chats(), ground.bags(), wipes, ground.agents(), database, access)
                .addTo(router);
    }
}
