package dev.satchel.server.web;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.http.SatchelException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * Serves the web page: the same HTML document at each of its addresses, and its scripts and styles.
 * They contain no data of a tenant and need no credential.
 */
public final class WebRoutes {
    /** The addresses that {@code web/src/router.ts} handles. */
    private static final List<String> PAGES =
            List.of(
                    "/",
                    "/chats/{id}",
                    "/runs/{runId}",
                    "/assets",
                    "/agents",
                    "/credentials",
                    "/skills",
                    "/asks",
                    "/storage",
                    "/usage",
                    "/settings",
                    "/connect");

    private static final List<String> FILES = List.of("/theme.js", "/satchel.svg");

    private static final Pattern ASSET = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]*");

    /**
     * Only scripts and styles of this server and nothing inline: the text of a model cannot execute
     * scripts or load remote resources. Blobs are images and PDF previews. The only other frame is
     * {@code /frame.html}.
     */
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
                    + " img-src 'self' blob: data:; media-src 'self'; font-src 'self';"
                    + " frame-src 'self' blob:;"
                    + " object-src 'none';"
                    + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    /**
     * For HTML and SVG of others, in which scripts run: without an origin, so that they reach
     * neither the page nor its session, and without network.
     */
    private static final String FRAME_POLICY =
            "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline';"
                    + " style-src 'unsafe-inline'; img-src data: blob:; media-src data: blob:;"
                    + " font-src data:; base-uri 'none'; form-action 'none';"
                    + " frame-ancestors 'self'";

    private final Map<String, PageFile> files = new ConcurrentHashMap<>();
    private final String root;

    public WebRoutes() {
        this("/web");
    }

    /** With the page in another folder of the class path. */
    WebRoutes(String root) {
        this.root = root;
    }

    public void addTo(Router router) {
        PAGES.forEach(page -> router.get(page, this::page));
        FILES.forEach(file -> router.get(file, exchange -> uncached(exchange, root + file)));
        router.get("/frame.html", this::frame);
        router.get("/assets/{file}", this::asset);
    }

    /** A build without the page ({@code -DskipWeb}) serves a replacement that explains it. */
    private void page(Exchange exchange) {
        exchange.header("Content-Security-Policy", POLICY);
        exchange.header("Referrer-Policy", "no-referrer");
        String built = root + "/index.html";
        uncached(exchange, find(built).isPresent() ? built : "/no-web.html");
    }

    private void frame(Exchange exchange) {
        exchange.header("Content-Security-Policy", FRAME_POLICY);
        // The policy does not cover WebRTC. With this header Chromium ends a frame that uses it.
        exchange.header("Connection-Allowlist", "(response-origin)");
        exchange.header("Referrer-Policy", "no-referrer");
        exchange.header("X-DNS-Prefetch-Control", "off");
        uncached(exchange, root + "/frame.html");
    }

    private void uncached(Exchange exchange, String resource) {
        exchange.header("Cache-Control", "no-cache");
        require(exchange, resource).send(exchange);
    }

    /** The name of an asset contains a hash of its content, so a browser may cache it. */
    private void asset(Exchange exchange) {
        String name = exchange.pathParameter("file");
        if (!ASSET.matcher(name).matches()) {
            throw noFile(exchange);
        }
        PageFile file = require(exchange, root + "/assets/" + name);
        exchange.header("Cache-Control", "public, max-age=31536000, immutable");
        file.send(exchange);
    }

    private PageFile require(Exchange exchange, String resource) {
        return find(resource).orElseThrow(() -> noFile(exchange));
    }

    private static SatchelException noFile(Exchange exchange) {
        return new SatchelException(ErrorCode.NOT_FOUND, "no file " + exchange.path());
    }

    private Optional<PageFile> find(String resource) {
        PageFile known = files.get(resource);
        if (known != null) {
            return Optional.of(known);
        }
        Optional<PageFile> read = PageFile.read(resource);
        read.ifPresent(file -> files.put(resource, file));
        return read;
    }
}
