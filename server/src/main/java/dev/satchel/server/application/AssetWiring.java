package dev.satchel.server.application;

import dev.satchel.http.Router;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.asset.AssetRoutes;
import dev.satchel.server.asset.AssetService;
import dev.satchel.server.asset.AssetSweeper;
import dev.satchel.server.asset.SaveAssetRoutes;
import dev.satchel.server.bag.BagLimits;
import dev.satchel.server.bag.BagRoutes;
import dev.satchel.server.bag.RunFileRoutes;
import java.time.Duration;

/** Assets: the permanent files of tenants. */
final class AssetWiring {
    private static final Duration SWEEP = Duration.ofHours(1);

    private final AssetService assets;

    AssetWiring(CommonServices common, BagLimits limits) {
        this.assets =
                new AssetService(
                        common.database(),
                        common.stores().assets,
                        common.objects(),
                        limits,
                        common.clocks().time());
        AssetSweeper sweeper =
                new AssetSweeper(
                        common.database(),
                        common.stores().assets,
                        common.objects(),
                        assets,
                        common.clocks().time());
        common.sweeps().every(SWEEP, sweeper::sweep);
    }

    /** A file of a chat or of a run can be saved as an asset. */
    void addTo(
            Router router,
            Authentication access,
            RunWiring runs,
            BagRoutes chatFiles,
            RunFileRoutes runFiles) {
        new AssetRoutes(assets, runs.downloads(), access).addTo(router);
        new SaveAssetRoutes(chatFiles, runFiles, assets, access).addTo(router);
    }

    AssetService assets() {
        return assets;
    }
}
