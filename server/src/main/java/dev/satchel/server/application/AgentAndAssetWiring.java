package dev.satchel.server.application;

import dev.satchel.http.Router;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.agent.AgentRoutes;
import dev.satchel.server.agent.AgentService;
import dev.satchel.server.agent.AgentStore;
import dev.satchel.server.asset.AssetRoutes;
import dev.satchel.server.asset.AssetService;
import dev.satchel.server.asset.AssetStore;
import dev.satchel.server.asset.AssetSweeper;
import dev.satchel.server.asset.SaveAssetRoutes;
import dev.satchel.server.asset.StageAssetRoutes;
import dev.satchel.server.bag.BagLimits;
import dev.satchel.server.bag.BagRoutes;
import dev.satchel.server.bag.BagService;
import dev.satchel.server.bag.FileDownloads;
import dev.satchel.server.bag.RunFileRoutes;
import dev.satchel.server.callback.CallbackService;
import dev.satchel.server.database.Database;
import dev.satchel.server.execution.Executions;
import dev.satchel.server.execution.RunLauncher;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.runlog.RunLogStreamer;
import dev.satchel.server.turn.AgentRunRoutes;
import dev.satchel.server.turn.AgentRunService;
import java.time.Clock;

/** What a tenant keeps on purpose: agents with their headless runs, and assets. */
final class AgentAndAssetWiring {
    private final Database database;
    private final ObjectStore objects;
    private final Clock clock;
    private final Router router;
    private final Authentication access;

    AgentAndAssetWiring(
            Database database,
            ObjectStore objects,
            Clock clock,
            Router router,
            Authentication access) {
        this.database = database;
        this.objects = objects;
        this.clock = clock;
        this.router = router;
        this.access = access;
    }

    AgentService addAgents(
            Executions executions, RunLauncher launcher, RunLogStreamer streamer, BagService bags) {
        AgentService agents = new AgentService(database, new AgentStore(), clock);
        new AgentRoutes(agents, access).addTo(router);
        AgentRunService runs = new AgentRunService(database, agents, launcher);
        new AgentRunRoutes(runs, executions, streamer, bags, access).addTo(router);
        return agents;
    }

    /** The assets, and what is to be done about them from time to time. */
    record Kept(AssetService assets, Runnable sweep) {}

    Kept addAssets(
            BagLimits limits,
            BagRoutes chatFiles,
            RunFileRoutes runFiles,
            CallbackService callbacks,
            FileDownloads downloads) {
        AssetStore store = new AssetStore();
        AssetService assets = new AssetService(database, store, objects, limits, clock);
        new AssetRoutes(assets, downloads, access).addTo(router);
        new SaveAssetRoutes(chatFiles, runFiles, assets, access).addTo(router);
        new StageAssetRoutes(callbacks, assets, downloads).addTo(router);
        return new Kept(assets, new AssetSweeper(database, store, objects, assets, clock)::sweep);
    }
}
