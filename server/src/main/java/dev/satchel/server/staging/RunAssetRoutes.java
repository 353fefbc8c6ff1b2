package dev.satchel.server.staging;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.server.asset.Asset;
import dev.satchel.server.asset.AssetRoutes;
import dev.satchel.server.asset.AssetService;
import dev.satchel.server.bag.FileDownloads;
import dev.satchel.server.callback.CallbackService;
import dev.satchel.server.run.Run;
import dev.satchel.server.run.TokenPurpose;
import java.io.IOException;
import java.net.URLEncoder;

/**
 * Lists the assets of the tenant for the agent of a run, and sends one into its workspace. The
 * sandbox authenticates with the run token that it has redeemed; the token is valid while the run
 * is running.
 */
public final class RunAssetRoutes {
    /** Where the copy belongs in the workspace, percent-encoded. */
    private static final String PATH = "Satchel-Path";

    private final CallbackService callbacks;
    private final AssetService assets;
    private final StagedCopies copies;
    private final FileDownloads downloads;

    public RunAssetRoutes(
            CallbackService callbacks,
            AssetService assets,
            StagedCopies copies,
            FileDownloads downloads) {
        this.callbacks = callbacks;
        this.assets = assets;
        this.copies = copies;
        this.downloads = downloads;
    }

    public void addTo(Router router) {
        router.get("/api/assistant/sandbox/{sessionId}/assets", this::list);
        router.get("/api/assistant/sandbox/{sessionId}/staged/{assetId}", this::stage);
    }

    private void list(Exchange exchange) {
        Run run = callbacks.recognise(exchange, TokenPurpose.RUN);
        exchange.json(200, AssetRoutes.page(exchange, assets, run.tenant()));
    }

    private void stage(Exchange exchange) throws IOException {
        Run run = callbacks.recognise(exchange, TokenPurpose.RUN);
        Asset asset = assets.get(run.tenant(), exchange.pathParameter("assetId"));
        String path = URLEncoder.encode(copies.add(run, asset).value(), UTF_8);
        exchange.header(PATH, path.replace("+", "%20"));
        downloads.send(exchange, asset.file());
    }
}
