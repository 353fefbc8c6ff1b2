package dev.satchel.server.asset;

import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.server.bag.FileDownloads;
import dev.satchel.server.callback.CallbackService;
import dev.satchel.server.run.Run;
import dev.satchel.server.run.TokenPurpose;
import java.io.IOException;

/**
 * Sends an asset of the tenant to a sandbox. The sandbox authenticates with the run token that it
 * has redeemed; the token is valid while the run is running.
 */
public final class StageAssetRoutes {
    private final CallbackService callbacks;
    private final AssetService assets;
    private final FileDownloads downloads;

    public StageAssetRoutes(
            CallbackService callbacks, AssetService assets, FileDownloads downloads) {
        this.callbacks = callbacks;
        this.assets = assets;
        this.downloads = downloads;
    }

    public void addTo(Router router) {
        router.get("/api/assistant/sandbox/{sessionId}/staged/{assetId}", this::asset);
    }

    private void asset(Exchange exchange) throws IOException {
        Run run = callbacks.recognise(exchange, TokenPurpose.RUN);
        Asset asset = assets.get(run.tenant(), exchange.pathParameter("assetId"));
        downloads.send(exchange, asset.file());
    }
}
