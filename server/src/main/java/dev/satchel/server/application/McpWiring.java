package dev.satchel.server.application;

import dev.satchel.http.Router;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.asset.AssetService;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.document.TextExtractor;
import dev.satchel.server.mcp.McpRoutes;
import dev.satchel.server.mcp.McpTokenRoutes;
import dev.satchel.server.mcp.McpTokens;
import dev.satchel.server.mcp.McpToolFactory;
import dev.satchel.server.mcp.McpTools;
import dev.satchel.server.staging.RunAssetRoutes;
import dev.satchel.server.staging.StagedCopies;
import dev.satchel.server.staging.StagingService;
import dev.satchel.server.turn.ChatService;
import dev.satchel.server.workspace.WorkspaceManager;
import java.time.Duration;

/** Staged assets, for runs and for the tools of {@code /mcp}. */
final class McpWiring {
    private static final Duration SWEEP = Duration.ofHours(1);

    private final AssetService assets;
    private final StagedCopies copies;
    private final McpTokens tokens;
    private final CommonServices common;
    private final TextExtractor documents;
    private final StagingService staging;

    McpWiring(
            CommonServices common,
            AssetService assets,
            WorkspaceManager workspaces,
            TextExtractor documents,
            Configuration.Ages ages) {
        this.common = common;
        this.documents = documents;
        this.assets = assets;
        Stores stores = common.stores();
        this.staging =
                new StagingService(
                        common.database(),
                        stores.staged,
                        assets,
                        common.objects(),
                        ages.stagedFile(),
                        common.clocks().time());
        this.copies =
                new StagedCopies(
                        common.database(),
                        stores.stagedCopies,
                        stores.conversations,
                        workspaces,
                        ages.stagedFile(),
                        common.clocks().time());
        if (!ages.stagedSweep().isZero()) {
            common.sweeps().every(ages.stagedSweep(), staging::sweep);
            common.sweeps().every(ages.stagedSweep(), copies::sweep);
        }
        this.tokens = new McpTokens(common.database(), common.clocks().time());
        common.sweeps().every(SWEEP, tokens::sweep);
    }

    void addTo(Router router, Authentication access, RunWiring runs, ChatService chats) {
        new RunAssetRoutes(runs.callbacks(), assets, copies, runs.downloads()).addTo(router);
        new McpTokenRoutes(tokens, chats, access).addTo(router);
        new McpRoutes(tokens, tools(runs), Application.version(), access).addTo(router);
    }

    private McpTools tools(RunWiring runs) {
        Stores stores = common.stores();
        return new McpToolFactory(
                        common.database(), common.objects(), documents, common.clocks().time())
                .create(stores.bags, stores.staged, assets, staging, runs.answers());
    }

    McpTokens tokens() {
        return tokens;
    }
}
