package dev.satchel.http.response;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The origins whose pages may call this server from a browser. They authenticate with a key: no
 * response allows credentials, so a browser sends no cookie and shows no response to one.
 */
public record CrossOrigin(Set<String> origins) {
    public static final CrossOrigin NONE = new CrossOrigin(Set.of());

    private static final String ANY = "*";

    private static final String METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

    /** What a page may read besides the headers that every page may read. */
    private static final String EXPOSED =
            "Content-Disposition, Content-Range, ETag, Location, Retry-After, X-Request-Id, Date,"
                    + " Idempotency-Replayed, Mcp-Session-Id, X-Vercel-AI-UI-Message-Stream,"
                    + " Tus-Resumable, Tus-Version, Tus-Extension, Tus-Max-Size, Upload-Offset,"
                    + " Upload-Length, Upload-Defer-Length, Upload-Metadata, Upload-Expires,"
                    + " Upload-Concat";

    private static final String PREFLIGHT_SECONDS = "600";

    public CrossOrigin {
        for (String origin : origins) {
            if (!origin.equals(ANY) && !isOrigin(origin)) {
                throw new IllegalArgumentException("not an origin: " + origin);
            }
        }
        origins = Set.copyOf(origins);
    }

    /** An origin is a scheme, a host and a port that is not the usual one, in lower case. */
    private static boolean isOrigin(String text) {
        try {
            URI uri = new URI(text);
            return uri.getScheme() != null
                    && uri.getRawAuthority() != null
                    && text.equals(uri.getScheme() + "://" + uri.getRawAuthority())
                    && text.equals(text.toLowerCase(Locale.ROOT));
        } catch (URISyntaxException e) {
            return false;
        }
    }

    /** Whether pages of any origin may call. */
    public boolean isOffered() {
        return !origins.isEmpty();
    }

    /** The headers of every response to a page of this origin; empty if it may not call. */
    public Map<String, String> headers(String origin) {
        if (!origins.contains(origin) && !(origins.contains(ANY) && !origin.isEmpty())) {
            return Map.of();
        }
        return Map.of(
                "Access-Control-Allow-Origin", origin, "Access-Control-Expose-Headers", EXPOSED);
    }

    /** The headers that a browser asks for before it sends a request with such headers. */
    public static Map<String, String> preflight(String requestHeaders) {
        Map<String, String> headers = new HashMap<>();
        headers.put("Access-Control-Allow-Methods", METHODS);
        headers.put("Access-Control-Max-Age", PREFLIGHT_SECONDS);
        if (!requestHeaders.isEmpty()) {
            headers.put("Access-Control-Allow-Headers", requestHeaders);
        }
        return headers;
    }
}
