package dev.satchel.server.docs;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.http.SatchelException;
import java.util.Map;

/** Serves the OpenAPI document and a page that shows it; both need no credential. */
public final class DocsRoutes {
    private static final String HTML = "text/html; charset=utf-8";
    private static final String SCRIPT = "text/javascript; charset=utf-8";

    /** Only resources of this server, no inline scripts; Swagger UI has images in data URLs. */
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline';"
                    + " img-src 'self' data:; connect-src 'self'; base-uri 'none';"
                    + " form-action 'none'; frame-ancestors 'none'";

    private record Asset(String resource, String contentType) {}

    private final Map<String, Asset> assets =
            Map.of(
                    "start.js",
                    new Asset("/docs/start.js", SCRIPT),
                    "swagger-ui-bundle.js",
                    new Asset(Resources.swaggerUi("swagger-ui-bundle.js"), SCRIPT),
                    "swagger-ui.css",
                    new Asset(Resources.swaggerUi("swagger-ui.css"), "text/css; charset=utf-8"),
                    "favicon-32x32.png",
                    new Asset(Resources.swaggerUi("favicon-32x32.png"), "image/png"));

    public void addTo(Router router) {
        router.get("/docs", DocsRoutes::page);
        router.get("/docs/{file}", this::asset);
        router.get("/openapi.json", this::document);
    }

    private static void page(Exchange exchange) {
        exchange.header("Content-Security-Policy", POLICY);
        exchange.header("Referrer-Policy", "no-referrer");
        exchange.header("Cache-Control", "no-cache");
        exchange.body(200, HTML, Resources.read("/docs/index.html"));
    }

    private void asset(Exchange exchange) {
        String file = exchange.pathParameter("file");
        Asset asset = assets.get(file);
        if (asset == null) {
            throw new SatchelException(ErrorCode.NOT_FOUND, "no page /docs/" + file);
        }
        exchange.header("Cache-Control", "max-age=3600");
        exchange.body(200, asset.contentType(), Resources.read(asset.resource()));
    }

    private void document(Exchange exchange) {
        exchange.header("Cache-Control", "no-cache");
        exchange.body(200, "application/json; charset=utf-8", Resources.read("/docs/openapi.json"));
    }
}
