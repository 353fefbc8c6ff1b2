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

/**
 * The door: finds out who is calling, by API key or browser session, before a handler is reached.
 */
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
     * @param around what stands between the door and every handler
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

    /** Wraps a handler so that only a known caller gets to it. */
    public Handler required(CallerHandler handler) {
        CallerHandler guarded = around.apply(handler);
        return exchange -> guarded.handle(exchange, caller(exchange));
    }

    /** Whether the browser is logged in; for pages that look different then, never for data. */
    boolean loggedIn(Exchange exchange) {
        return cookie.read(exchange).flatMap(logins::find).isPresent();
    }

    /** Turns a login link into a cookie; false when the link was used, is too old or never was. */
    boolean logIn(Exchange exchange, Credential token) {
        Optional<Credential> session = logins.redeem(token);
        session.ifPresent(opened -> cookie.set(exchange, opened));
        return session.isPresent();
    }

    /** The refusal of a wrong credential: at first as given, after too many of them 429. */
    SatchelException wrong(Exchange exchange, String message) {
        return failures.refuse(exchange.remoteAddress(), BearerToken.unauthenticated(message));
    }

    void logOut(Exchange exchange) {
        Optional<Credential> session = cookie.read(exchange);
        if (session.isPresent()) {
            SameOriginCheck.require(exchange);
            logins.end(session.get());
            cookie.clear(exchange);
        }
    }

    private Caller caller(Exchange exchange) {
        Optional<Credential> key = apiKey(exchange);
        if (key.isPresent()) {
            return new Caller(
                    keys.findOwner(key.get())
                            .orElseThrow(() -> wrong(exchange, "the API key is not valid")));
        }
        Credential session =
                cookie.read(exchange)
                        .orElseThrow(
                                () ->
                                        BearerToken.unauthenticated(
                                                "an API key or a login is needed"));
        return browser(exchange, session);
    }

    /**
     * A stale cookie does not count as an attempt: every browser has one some day, and nobody can
     * guess one.
     */
    private Caller browser(Exchange exchange, Credential session) {
        BrowserLogins.Login login =
                logins.find(session)
                        .orElseThrow(() -> BearerToken.unauthenticated("the login has ended"));
        SameOriginCheck.require(exchange);
        if (login.extended()) {
            cookie.set(exchange, session);
        }
        return new Caller(login.tenant());
    }

    private static Optional<Credential> apiKey(Exchange exchange) {
        return BearerToken.find(exchange)
                .or(() -> exchange.header("X-Api-Key"))
                .map(Credential::new);
    }
}
