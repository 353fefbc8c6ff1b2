package dev.satchel.server.access;

import dev.satchel.http.Exchange;
import java.net.URI;
import java.util.Optional;
import java.util.function.Supplier;

/** The cookie of a browser session. */
final class SessionCookie {
    private static final String NAME = "satchel_session";

    private final Supplier<URI> publicUrl;

    SessionCookie(Supplier<URI> publicUrl) {
        this.publicUrl = publicUrl;
    }

    Optional<CallerSecret> read(Exchange exchange) {
        return exchange.cookie(NAME).map(CallerSecret::new);
    }

    void set(Exchange exchange, CallerSecret session) {
        write(exchange, session.value(), BrowserLogins.SESSION_LIFETIME.toSeconds());
    }

    void clear(Exchange exchange) {
        write(exchange, "", 0);
    }

    /** Sets Secure only for https, since browsers drop such cookies on plain http. */
    private void write(Exchange exchange, String value, long maxAgeSeconds) {
        boolean https = "https".equals(publicUrl.get().getScheme());
        exchange.addHeader(
                "Set-Cookie",
                NAME
                        + "="
                        + value
                        + "; Path=/; Max-Age="
                        + maxAgeSeconds
                        + "; HttpOnly; SameSite=Strict"
                        + (https ? "; Secure" : ""));
    }
}
