package dev.satchel.server.user;

import dev.satchel.http.Exchange;
import dev.satchel.server.user.oidc.OidcAttempt;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/** What a browser keeps of a sign-in at a provider. */
final class OidcCookies {
    private static final String ATTEMPT = "satchel_oidc";
    private static final String TOKEN = "satchel_oidc_token";

    /** Only the sign-out needs the token. */
    private static final String TOKEN_PATH = "/logout";

    /** With this prefix browsers refuse a cookie that another host of the domain has set. */
    private static final String HOST_PREFIX = "__Host-";

    /** Browsers drop longer cookies. */
    private static final int MAX_TOKEN = 3_800;

    /** In place of a longer token: no token looks like it. */
    private static final String TOO_LONG = "-";

    private static final Duration TOKEN_LIFETIME = Duration.ofDays(30);

    private final Supplier<URI> publicUrl;

    OidcCookies(Supplier<URI> publicUrl) {
        this.publicUrl = publicUrl;
    }

    /** Lax, because the browser comes back from the site of the provider. */
    void setAttempt(Exchange exchange, OidcAttempt attempt) {
        write(
                exchange,
                attemptName() + "=" + attempt.cookie() + "; Path=/",
                OidcAttempt.LIFETIME,
                "Lax");
    }

    Optional<OidcAttempt> attempt(Exchange exchange, Instant now) {
        return exchange.cookie(attemptName()).flatMap(cookie -> OidcAttempt.read(cookie, now));
    }

    void clearAttempt(Exchange exchange) {
        write(exchange, attemptName() + "=; Path=/", Duration.ZERO, "Lax");
    }

    /** Without a token that is too long the provider may ask before it signs out. */
    void setToken(Exchange exchange, String idToken) {
        String kept = idToken.length() <= MAX_TOKEN ? idToken : TOO_LONG;
        write(exchange, TOKEN + "=" + kept + "; Path=" + TOKEN_PATH, TOKEN_LIFETIME, "Strict");
    }

    /** Whether this browser has signed in at the provider. */
    boolean hasToken(Exchange exchange) {
        return exchange.cookie(TOKEN).isPresent();
    }

    /** The token of the sign-in, unless it was too long; it is gone afterwards. */
    Optional<String> takeToken(Exchange exchange) {
        write(exchange, TOKEN + "=; Path=" + TOKEN_PATH, Duration.ZERO, "Strict");
        return exchange.cookie(TOKEN).filter(token -> !token.equals(TOO_LONG));
    }

    private String attemptName() {
        return isSecure() ? HOST_PREFIX + ATTEMPT : ATTEMPT;
    }

    private boolean isSecure() {
        return "https".equals(publicUrl.get().getScheme());
    }

    private void write(Exchange exchange, String cookie, Duration age, String sameSite) {
        exchange.addHeader(
                "Set-Cookie",
                cookie
                        + "; Max-Age="
                        + age.toSeconds()
                        + "; HttpOnly; SameSite="
                        + sameSite
                        + (isSecure() ? "; Secure" : ""));
    }
}
