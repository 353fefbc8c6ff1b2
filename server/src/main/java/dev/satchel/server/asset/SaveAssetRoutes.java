package dev.satchel.server.asset;

import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import dev.satchel.server.bag.BagFile;
import dev.satchel.server.bag.BagRoutes;
import dev.satchel.server.bag.RunFileRoutes;
import java.io.IOException;

/** Saves a file of a chat or of a run as an asset. */
public final class SaveAssetRoutes {
    private final BagRoutes chatFiles;
    private final RunFileRoutes runFiles;
    private final AssetService assets;
    private final Authentication access;

    public SaveAssetRoutes(
            BagRoutes chatFiles,
            RunFileRoutes runFiles,
            AssetService assets,
            Authentication access) {
        this.chatFiles = chatFiles;
        this.runFiles = runFiles;
        this.assets = assets;
        this.access = access;
    }

    public void addTo(Router router) {
        router.post(
                "/api/assistant/chats/{id}/files/{fileId}/save",
                access.requireCaller(
                        Permission.ADD_ASSETS,
                        (exchange, caller) ->
                                save(exchange, caller, chatFiles.find(exchange, caller))));
        router.post(
                "/api/runs/{runId}/files/{fileId}/save",
                access.requireCaller(
                        Permission.ADD_ASSETS,
                        (exchange, caller) ->
                                save(exchange, caller, runFiles.find(exchange, caller))));
    }

    private void save(Exchange exchange, Caller caller, BagFile file) throws IOException {
        exchange.json(201, AssetView.of(assets.save(caller.tenant(), file.stored())));
    }
}
