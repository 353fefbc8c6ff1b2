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
 * The page: the same document at each of its addresses, since the browser does the rest, and the
 * scripts and styles it names. All of it is the same for everybody, so all of it is open.
 */
public final class WebRoutes {
    /** Addresses that the page itself understands; {@code web/src/router.ts} has the same. */
    private static final List<String> PAGES =
            List.of(
                    "/",
                    "/chats/{id}",
                    "/runs/{runId}",
                    "/assets",
                    "/agents",
                    "/storage",
                    "/settings");

    private static final List<String> FILES = List.of("/theme.js", "/satchel.svg");

    private static final Pattern ASSET = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]*");

    /**
     * Scripts and styles of our own only, nothing inline and nothing from elsewhere: what a model
     * writes can neither run nor call home. Blobs are pictures and PDF previews.
     */
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
                    + " img-src 'self' blob: data:; frame-src blob:; object-src 'none';"
                    + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private final Map<String, PageFile> files = new ConcurrentHashMap<>();
    private final String root;

    public WebRoutes() {
        this("/web");
    }

    /** With the page at another place in our jar, or at none. */
    WebRoutes(String root) {
        this.root = root;
    }

    public void addTo(Router router) {
        PAGES.forEach(page -> router.get(page, this::page));
        FILES.forEach(file -> router.get(file, exchange -> changing(exchange, root + file)));
        router.get("/assets/{file}", this::asset);
    }

    /** Built without the page ({@code -DskipWeb}), there is still a page that says so. */
    private void page(Exchange exchange) {
        exchange.header("Content-Security-Policy", POLICY);
        exchange.header("Referrer-Policy", "no-referrer");
        String built = root + "/index.html";
        changing(exchange, find(built).isPresent() ? built : "/no-web.html");
    }

    private void changing(Exchange exchange, String resource) {
        exchange.header("Cache-Control", "no-cache");
        existing(exchange, resource).send(exchange);
    }

    /** Their names change with their content, so a browser need never ask twice. */
    private void asset(Exchange exchange) {
        String name = exchange.pathParameter("file");
        if (!ASSET.matcher(name).matches()) {
            throw noFile(exchange);
        }
        PageFile file = existing(exchange, root + "/assets/" + name);
        exchange.header("Cache-Control", "public, max-age=31536000, immutable");
        file.send(exchange);
    }

    private PageFile existing(Exchange exchange, String resource) {
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
