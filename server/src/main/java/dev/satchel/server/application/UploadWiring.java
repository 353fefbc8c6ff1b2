package dev.satchel.server.application;

import dev.satchel.http.Router;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.bag.BagImport;
import dev.satchel.server.bag.BagLimits;
import dev.satchel.server.bag.BagService;
import dev.satchel.server.bag.BagStore;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.database.Database;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.objectstore.PendingDeletions;
import dev.satchel.server.schedule.Scheduler;
import dev.satchel.server.turn.ChatService;
import dev.satchel.server.turn.ClaimRoutes;
import dev.satchel.server.upload.UploadClaims;
import dev.satchel.server.upload.UploadRoutes;
import dev.satchel.server.upload.UploadService;
import dev.satchel.server.upload.tus.TusRoutes;
import dev.satchel.server.upload.tus.TusService;
import java.time.Clock;
import java.time.Duration;

/** Uploads, from their store up to their routes. */
final class UploadWiring {
    private static final Duration SWEEP = Duration.ofHours(1);

    private final PendingDeletions deletions;
    private final UploadService uploads;
    private final UploadClaims claims;

    UploadWiring(
            Database database,
            ObjectStore objects,
            Stores stores,
            Scheduler scheduler,
            Duration maxAge,
            Clock clock) {
        this.deletions = new PendingDeletions(database, objects, clock);
        BagLimits limits = stores.limits();
        this.uploads = new UploadService(database, objects, deletions, limits, maxAge, clock);
        BagImport bagImport = new BagImport(stores.bag(), limits);
        this.claims = new UploadClaims(uploads, stores.conversations(), stores.bag(), bagImport);
        claims.finish(); // moves that a crash interrupted
        scheduler.every(SWEEP, claims::finish);
        scheduler.every(SWEEP, uploads::sweep);
        scheduler.every(SWEEP, deletions::run);
    }

    /** The stores into which uploads are claimed. */
    record Stores(ConversationStore conversations, BagStore bag, BagLimits limits) {}

    UploadService uploads() {
        return uploads;
    }

    UploadClaims claims() {
        return claims;
    }

    PendingDeletions deletions() {
        return deletions;
    }

    void addTo(
            Router router,
            Authentication access,
            BagService bags,
            ConversationStore conversations,
            ChatService chats) {
        new UploadRoutes(uploads, bags, conversations, access).addTo(router);
        new TusRoutes(new TusService(uploads, deletions), access).addTo(router);
        new ClaimRoutes(claims, chats, bags, access).addTo(router);
    }
}
