package dev.satchel.server.application;

import dev.satchel.http.Router;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.bag.BagImport;
import dev.satchel.server.bag.BagLimits;
import dev.satchel.server.bag.BagService;
import dev.satchel.server.objectstore.PendingDeletions;
import dev.satchel.server.schedule.Sweeps;
import dev.satchel.server.turn.ChatService;
import dev.satchel.server.turn.ClaimRoutes;
import dev.satchel.server.upload.UploadClaims;
import dev.satchel.server.upload.UploadRoutes;
import dev.satchel.server.upload.UploadService;
import dev.satchel.server.upload.tus.TusRoutes;
import dev.satchel.server.upload.tus.TusService;
import java.time.Duration;

/** Uploads, and the deletion of objects. */
final class UploadWiring {
    private static final Duration SWEEP = Duration.ofHours(1);

    private final CommonServices common;
    private final PendingDeletions deletions;
    private final UploadService uploads;
    private final UploadClaims claims;

    UploadWiring(CommonServices common, BagLimits limits, Duration maxAge) {
        this.common = common;
        this.deletions =
                new PendingDeletions(common.database(), common.objects(), common.clocks().time());
        this.uploads =
                new UploadService(
                        common.database(),
                        common.objects(),
                        deletions,
                        limits,
                        maxAge,
                        common.clocks().time());
        Stores stores = common.stores();
        this.claims =
                new UploadClaims(
                        uploads,
                        stores.conversations,
                        stores.runConversations,
                        stores.bags,
                        new BagImport(stores.bags, limits));
        claims.finish(); // moves that a crash interrupted
        Sweeps sweeps = common.sweeps();
        sweeps.every(SWEEP, claims::finish);
        sweeps.every(SWEEP, uploads::sweep);
        sweeps.every(SWEEP, deletions::run);
    }

    void addTo(Router router, Authentication access, BagService bags, ChatService chats) {
        new UploadRoutes(uploads, bags, common.stores().conversations, access).addTo(router);
        new TusRoutes(new TusService(uploads, deletions), access).addTo(router);
        new ClaimRoutes(claims, chats, bags, access).addTo(router);
    }

    UploadService uploads() {
        return uploads;
    }

    UploadClaims claims() {
        return claims;
    }

    PendingDeletions deletions() {
        return deletions;
    }
}
