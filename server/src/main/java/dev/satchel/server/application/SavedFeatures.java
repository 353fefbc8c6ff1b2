package dev.satchel.server.application;

import dev.satchel.http.Router;
import dev.satchel.server.access.Access;
import dev.satchel.server.agent.AgentRoutes;
import dev.satchel.server.agent.AgentRunRoutes;
import dev.satchel.server.agent.AgentStore;
import dev.satchel.server.agent.Agents;
import dev.satchel.server.bag.Bags;
import dev.satchel.server.database.Database;
import dev.satchel.server.execution.Executions;
import dev.satchel.server.execution.Launch;
import dev.satchel.server.run.RunFollower;
import java.time.Clock;

/** What a tenant keeps on purpose: agents with their headless runs. */
final class SavedFeatures {
    private final Database database;
    private final Clock clock;
    private final Router router;
    private final Access access;

    SavedFeatures(Database database, Clock clock, Router router, Access access) {
        this.database = database;
        this.clock = clock;
        this.router = router;
        this.access = access;
    }

    void addAgents(Executions executions, Launch launch, RunFollower follower, Bags bags) {
        Agents agents = new Agents(database, new AgentStore(), executions, launch, clock);
        new AgentRoutes(agents, access).addTo(router);
        new AgentRunRoutes(agents, executions, follower, bags, access).addTo(router);
    }
}
