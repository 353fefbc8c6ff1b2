package dev.satchel.server.application;

import dev.satchel.http.Router;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.asset.AssetService;
import dev.satchel.server.bag.BagStore;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.conversation.ConversationData;
import dev.satchel.server.database.Database;
import dev.satchel.server.mcp.McpRoutes;
import dev.satchel.server.mcp.McpTokenRoutes;
import dev.satchel.server.mcp.McpTokens;
import dev.satchel.server.mcp.McpToolFactory;
import dev.satchel.server.mcp.McpTools;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.schedule.Scheduler;
import dev.satchel.server.staging.StagedAssetStore;
import dev.satchel.server.staging.StagingService;
import dev.satchel.server.turn.ChatService;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

/** Staged assets and the protocol by which agents elsewhere use a conversation's files. */
final class McpWiring {
    private static final Duration SWEEP = Duration.ofHours(1);

    private final Database database;
    private final ObjectStore objects;
    private final Clock clock;
    private final Router router;
    private final Authentication access;
    private final Scheduler scheduler;

    McpWiring(
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

    /** Returns what the features store for a conversation. */
    List<ConversationData> add(
            BagStore bag, ChatService chats, AssetService assets, Configuration.Ages ages) {
        StagedAssetStore staged = new StagedAssetStore();
        StagingService staging =
                new StagingService(database, staged, assets, objects, ages.stagedFile(), clock);
        if (!ages.stagedSweep().isZero()) {
            scheduler.every(ages.stagedSweep(), staging::sweep);
        }
        McpTokens tokens = new McpTokens(database, clock);
        scheduler.every(SWEEP, tokens::sweep);
        McpTools tools =
                new McpToolFactory(database, objects, clock).create(bag, staged, assets, staging);
        new McpTokenRoutes(tokens, chats, access).addTo(router);
        new McpRoutes(tokens, tools, Application.version(), access).addTo(router);
        return List.of(tokens, staged);
    }
}
