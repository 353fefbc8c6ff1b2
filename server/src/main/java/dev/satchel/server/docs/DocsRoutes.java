package dev.satchel.server.docs;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.http.SatchelException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Properties;

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
        exchange.largeBody(asset.contentType(), Resources.read(asset.resource()));
    }

    private void document(Exchange exchange) {
        exchange.header("Cache-Control", "no-cache");
        exchange.largeBody("application/json; charset=utf-8", Resources.read("/docs/openapi.json"));
    }

    /** Reads resources of the class path. */
    static final class Resources {
        private static final String SWAGGER_UI_VERSION =
                "/META-INF/maven/org.webjars/swagger-ui/pom.properties";

        private Resources() {}

        static byte[] read(String name) {
            try (InputStream in = Resources.class.getResourceAsStream(name)) {
                if (in == null) {
                    throw new IllegalStateException("no resource " + name);
                }
                return in.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** The paths of Swagger UI contain its version, which its jar states. */
        static String swaggerUi(String file) {
            Properties properties = new Properties();
            try (InputStream in = Resources.class.getResourceAsStream(SWAGGER_UI_VERSION)) {
                properties.load(in);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            String version = properties.getProperty("version");
            return "/META-INF/resources/webjars/swagger-ui/" + version + "/" + file;
        }
    }
}
