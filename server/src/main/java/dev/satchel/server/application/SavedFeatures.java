package dev.satchel.server.application;

import dev.satchel.http.Router;
import dev.satchel.server.access.Access;
import dev.satchel.server.agent.AgentRoutes;
import dev.satchel.server.agent.AgentRunRoutes;
import dev.satchel.server.agent.AgentStore;
import dev.satchel.server.agent.Agents;
import dev.satchel.server.asset.AssetRoutes;
import dev.satchel.server.asset.AssetStore;
import dev.satchel.server.asset.AssetSweep;
import dev.satchel.server.asset.Assets;
import dev.satchel.server.asset.SaveRoutes;
import dev.satchel.server.asset.StagingRoutes;
import dev.satchel.server.bag.BagLimits;
import dev.satchel.server.bag.BagRoutes;
import dev.satchel.server.bag.Bags;
import dev.satchel.server.bag.FileDownloads;
import dev.satchel.server.bag.RunFileRoutes;
import dev.satchel.server.database.Database;
import dev.satchel.server.execution.Callbacks;
import dev.satchel.server.execution.Executions;
import dev.satchel.server.execution.Launch;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.run.RunFollower;
import dev.satchel.server.run.RunStarts;

import java.time.Clock;

/** What a tenant keeps on purpose: agents with their headless runs, and assets. */
final class SavedFeatures {
    private final Database database;
    private final ObjectStore objects;
    private final Clock clock;
    private final Router router;
    private final Access access;

    SavedFeatures(
            Database database, ObjectStore objects, Clock clock, Router router, Access access) {
        this.database = database;
        this.objects = objects;
        this.clock = clock;
        this.router = router;
        this.access = access;
    }

    Agents addAgents(
            Executions executions,
            Launch launch,
            RunStarts starts,
            RunFollower follower,
            Bags bags) {
        Agents agents = new Agents(database, new AgentStore(), executions, launch, clock);
        new AgentRoutes(agents, access).addTo(router);
        new AgentRunRoutes(agents, executions, starts, follower, bags, access).addTo(router);
        return agents;
    }

    /** The assets, and what is to be done about them from time to time. */
    record Kept(Assets assets, Runnable sweep) {}

    Kept addAssets(
            BagLimits limits,
            BagRoutes chatFiles,
            RunFileRoutes runFiles,
            Callbacks callbacks,
            FileDownloads downloads) {
        AssetStore store = new AssetStore();
        Assets assets = new Assets(database, store, objects, limits, clock);
        new AssetRoutes(assets, downloads, access).addTo(router);
        new SaveRoutes(chatFiles, runFiles, assets, access).addTo(router);
        new StagingRoutes(callbacks, assets, downloads).addTo(router);
        return new Kept(assets, new AssetSweep(database, store, objects, assets, clock)::sweep);
    }
}
