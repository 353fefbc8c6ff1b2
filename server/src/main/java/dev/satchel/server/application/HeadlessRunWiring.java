package dev.satchel.server.application;

import dev.satchel.http.Router;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.asset.AssetService;
import dev.satchel.server.deletion.ConversationDeletion;
import dev.satchel.server.deletion.HeadlessRunDeletion;
import dev.satchel.server.turn.AgentRunFiles;
import dev.satchel.server.turn.AgentRunRoutes;
import dev.satchel.server.turn.AgentRunService;
import java.time.Duration;

/** Runs of saved agents without a chat. */
final class HeadlessRunWiring {
    private static final Duration SWEEP = Duration.ofHours(1);

    private final RunWiring runs;
    private final AgentRunFiles files;
    private final AgentRunService service;
    private final HeadlessRunDeletion deletion;

    HeadlessRunWiring(
            CommonServices common,
            RunWiring runs,
            UploadWiring uploads,
            ConversationWiring conversations,
            AssetService assets,
            ConversationDeletion deletion) {
        this.runs = runs;
        this.files = new AgentRunFiles(uploads.uploads(), uploads.claims(), assets, runs.bags());
        this.service =
                new AgentRunService(
                        common.database(),
                        conversations.agents(),
                        runs.launcher(),
                        common.stores().runConversations,
                        files,
                        common.clocks().time());
        this.deletion =
                new HeadlessRunDeletion(
                        common.database(),
                        common.stores().runConversations,
                        runs.executions(),
                        deletion,
                        common.clocks().time());
        common.sweeps().every(SWEEP, this.deletion::sweep);
    }

    void addTo(Router router, Authentication access) {
        new AgentRunRoutes(
                        service,
                        files,
                        runs.executions(),
                        runs.streamer(),
                        new AgentRunRoutes.Results(runs.bags(), runs.answers()),
                        access)
                .addTo(router);
        deletion.addTo(router, runs.routes(access), access);
    }
}
