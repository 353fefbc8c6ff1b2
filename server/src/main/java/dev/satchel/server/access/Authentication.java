package dev.satchel.server.access;

import dev.satchel.http.BearerToken;
import dev.satchel.http.Exchange;
import dev.satchel.http.Handler;
import dev.satchel.http.SatchelException;
import java.net.URI;
import java.time.Clock;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Identifies the caller of a request, by API key or browser session, before its handler runs. */
public final class Authentication {
    private final ApiKeys keys;
    private final BrowserLogins logins;
    private final FailedLoginLimiter failures;
    private final SessionCookie cookie;
    private final UnaryOperator<CallerHandler> around;

    public Authentication(
            ApiKeys keys, BrowserLogins logins, Clock clock, Supplier<URI> publicUrl) {
        this(keys, logins, clock, publicUrl, UnaryOperator.identity());
    }

    /**
     * @param around wraps every handler, inside of the authentication
     */
    public Authentication(
            ApiKeys keys,
            BrowserLogins logins,
            Clock clock,
            Supplier<URI> publicUrl,
            UnaryOperator<CallerHandler> around) {
        this.keys = keys;
        this.logins = logins;
        this.failures = new FailedLoginLimiter(clock);
        this.cookie = new SessionCookie(publicUrl);
        this.around = around;
    }

    /** Wraps a handler so that it runs only for an authenticated caller. */
    public Handler requireCaller(CallerHandler handler) {
        CallerHandler wrapped = around.apply(handler);
        return exchange -> wrapped.handle(exchange, caller(exchange));
    }

    /** Whether the browser is logged in. For the look of pages only, never to protect data. */
    boolean loggedIn(Exchange exchange) {
        return cookie.read(exchange).flatMap(logins::find).isPresent();
    }

    /** Sets the session cookie; false when the link was used, has expired or is unknown. */
    boolean logIn(Exchange exchange, CallerSecret token) {
        Optional<CallerSecret> session = logins.redeem(token);
        session.ifPresent(opened -> cookie.set(exchange, opened));
        return session.isPresent();
    }

    /** The error for a wrong credential: 401, or 429 after too many of them. */
    SatchelException wrongCredential(Exchange exchange, String message) {
        return failures.count(exchange.remoteAddress(), BearerToken.unauthenticated(message));
    }

    void logOut(Exchange exchange) {
        Optional<CallerSecret> session = cookie.read(exchange);
        if (session.isPresent()) {
            SameOriginCheck.require(exchange);
            logins.end(session.get());
            cookie.clear(exchange);
        }
    }

    private Caller caller(Exchange exchange) {
        Optional<CallerSecret> key = apiKey(exchange);
        if (key.isPresent()) {
            return keys.findOwner(key.get())
                    .orElseThrow(() -> wrongCredential(exchange, "the API key is not valid"));
        }
        CallerSecret session =
                cookie.read(exchange)
                        .orElseThrow(
                                () ->
                                        BearerToken.unauthenticated(
                                                "an API key or a login is needed"));
        return browser(exchange, session);
    }

    /**
     * An expired cookie does not count as a failed attempt: every browser has one at some time, and
     * a cookie cannot be guessed.
     */
    private Caller browser(Exchange exchange, CallerSecret session) {
        BrowserLogins.Login login =
                logins.find(session)
                        .orElseThrow(() -> BearerToken.unauthenticated("the login has ended"));
        SameOriginCheck.require(exchange);
        if (login.extended()) {
            cookie.set(exchange, session);
        }
        return login.caller();
    }

    private static Optional<CallerSecret> apiKey(Exchange exchange) {
        return BearerToken.find(exchange)
                .or(() -> exchange.header("X-Api-Key"))
                .map(CallerSecret::new);
    }
}
