package dev.satchel.server.access;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.SatchelException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import java.util.Set;

/**
 * Refuses requests that another site makes with the cookie of a browser. Browsers send the origin
 * of a request as Sec-Fetch-Site on secure addresses and as Origin everywhere. A request with
 * neither is refused.
 */
final class SameOriginCheck {
    private static final Set<String> SAFE_METHODS = Set.of("GET", "HEAD", "OPTIONS");

    private SameOriginCheck() {}

    static void require(Exchange exchange) {
        if (SAFE_METHODS.contains(exchange.method())) {
            return;
        }
        boolean same =
                exchange.header("Sec-Fetch-Site")
                        .map(site -> site.equals("same-origin"))
                        .orElseGet(() -> originIsHost(exchange));
        if (!same) {
            throw new SatchelException(
                    ErrorCode.FORBIDDEN,
                    "with a browser's cookie, this is only allowed from Satchel's own pages");
        }
    }

    private static boolean originIsHost(Exchange exchange) {
        Optional<String> origin = exchange.header("Origin").flatMap(SameOriginCheck::authority);
        return origin.isPresent() && origin.equals(exchange.authority());
    }

    private static Optional<String> authority(String origin) {
        try {
            return Optional.ofNullable(new URI(origin).getAuthority());
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }
}
