package dev.satchel.server.asset;

import dev.satchel.http.Exchange;
import dev.satchel.http.Fields;
import dev.satchel.http.Router;
import dev.satchel.http.paging.PageRequest;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.bag.FileDownloads;
import dev.satchel.server.file.MultipartFiles;
import java.io.IOException;

/** {@code /api/assets}: list, search, upload, download, delete. */
public final class AssetRoutes {
    private static final int MAX_SEARCH = 255;

    private final AssetService assets;
    private final FileDownloads downloads;
    private final Authentication access;

    public AssetRoutes(AssetService assets, FileDownloads downloads, Authentication access) {
        this.assets = assets;
        this.downloads = downloads;
        this.access = access;
    }

    public void addTo(Router router) {
        router.get("/api/assets", access.requireCaller(Permission.READ_FILES, this::list));
        router.post("/api/assets", access.requireCaller(Permission.ADD_ASSETS, this::upload));
        router.get("/api/assets/{id}", access.requireCaller(Permission.READ_FILES, this::download));
        router.delete(
                "/api/assets/{id}", access.requireCaller(Permission.DELETE_ASSETS, this::delete));
    }

    private void list(Exchange exchange, Caller caller) {
        exchange.json(200, page(exchange, assets, caller.tenant()));
    }

    /** The page of a tenant's assets that a request asks for. */
    public static AssetView.Page page(Exchange exchange, AssetService assets, TenantId tenant) {
        String text = Fields.atMost("q", exchange.query("q").orElse(""), MAX_SEARCH);
        PageRequest page = PageRequest.of(exchange);
        return AssetView.Page.of(assets.page(tenant, text, page), page.limit());
    }

    private void upload(Exchange exchange, Caller caller) throws IOException {
        try (AssetReceiver upload = assets.upload(caller.tenant())) {
            MultipartFiles.receive(exchange, assets.limits().maxBagBytes(), upload::receive);
            exchange.json(201, new AssetView.All(AssetView.views(upload.commit())));
        }
    }

    private void download(Exchange exchange, Caller caller) throws IOException {
        downloads.send(exchange, assets.get(caller.tenant(), exchange.pathParameter("id")).file());
    }

    private void delete(Exchange exchange, Caller caller) {
        assets.delete(caller.tenant(), exchange.pathParameter("id"));
        exchange.send(204);
    }
}
