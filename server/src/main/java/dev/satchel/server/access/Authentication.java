package dev.satchel.server.access;

import dev.satchel.http.BearerToken;
import dev.satchel.http.Exchange;
import dev.satchel.http.SatchelException;
import java.net.URI;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Identifies the caller of a request, by API key or browser session, before its handler runs, and
 * checks the permission that the route declares.
 */
public final class Authentication {
    private static final String ACCOUNT = "account ";

    private final ApiKeys keys;
    private final BrowserLogins logins;
    private final CredentialUses uses;
    private final FailedLoginLimiter failures;
    private final SessionCookie cookie;
    private final OpenRequests open = new OpenRequests();
    private final UnaryOperator<CallerHandler> around;

    public Authentication(
            ApiKeys keys,
            BrowserLogins logins,
            CredentialUses uses,
            FailedLoginLimiter failures,
            Supplier<URI> publicUrl) {
        this(keys, logins, uses, failures, publicUrl, UnaryOperator.identity());
    }

    /**
     * @param around wraps every handler, inside of the authentication
     */
    public Authentication(
            ApiKeys keys,
            BrowserLogins logins,
            CredentialUses uses,
            FailedLoginLimiter failures,
            Supplier<URI> publicUrl,
            UnaryOperator<CallerHandler> around) {
        this.keys = keys;
        this.logins = logins;
        this.uses = uses;
        this.failures = failures;
        this.cookie = new SessionCookie(publicUrl);
        this.around = around;
    }

    /** A caller, and how they are found again. */
    private record Identified(Caller caller, Supplier<Optional<Caller>> again) {}

    /** Wraps a handler so that it runs only for an authenticated caller with a permission. */
    public PermittedHandler requireCaller(Permission permission, CallerHandler handler) {
        CallerHandler wrapped = around.apply(handler);
        return new PermittedHandler(
                permission,
                exchange -> {
                    Identified identified = identify(exchange);
                    permission.require(identified.caller());
                    open.handle(exchange, identified.caller(), identified.again(), wrapped);
                });
    }

    /** The requests that are open now. */
    public OpenRequests open() {
        return open;
    }

    /** Who is signed in with the cookie of the browser, for pages; handlers use a permission. */
    public Optional<Caller> signedIn(Exchange exchange) {
        return cookie.read(exchange).flatMap(logins::find);
    }

    /** Whether the request comes from a page of this server, as writes with a cookie must. */
    public void requireSameOrigin(Exchange exchange) {
        SameOriginCheck.require(exchange);
    }

    /** Gives the browser the cookie of a new session, which replaces one that it has. */
    public void signIn(Exchange exchange, BrowserLogins.SignedIn opened) {
        cookie.read(exchange).ifPresent(logins::end);
        cookie.set(exchange, opened.session());
    }

    /** Refuses an address with too many wrong credentials, also for a right one. */
    public void requireNotThrottled(Exchange exchange) {
        failures.require(failures.address(exchange), "");
    }

    /** As {@link #requireNotThrottled(Exchange)}, and slows an account with wrong passwords. */
    public void requireNotThrottled(Exchange exchange, String account) {
        requireNotThrottled(exchange);
        failures.requireAccount(key(account), failures.address(exchange));
    }

    /** The account was signed in to with a right password. */
    public void rightPassword(Exchange exchange, String account) {
        failures.accepted(failures.address(exchange), key(account));
    }

    /** A name of any length is stored as a hash. */
    private static String key(String account) {
        return new CallerSecret(ACCOUNT + account).hash();
    }

    /** The error for a wrong password of an account. */
    public SatchelException wrongPassword(Exchange exchange, String account, String message) {
        failures.countAccount(key(account));
        return wrongCredential(exchange, message);
    }

    /** Counts a wrong secret of a caller who is known. */
    public void countWrongSecret(String account) {
        failures.countAccount(key(account));
    }

    /** The error for a wrong credential: 401, or 429 after too many of them. */
    public SatchelException wrongCredential(Exchange exchange, String message) {
        return failures.count(failures.address(exchange), BearerToken.unauthenticated(message));
    }

    public void signOut(Exchange exchange) {
        Optional<CallerSecret> session = cookie.read(exchange);
        if (session.isPresent()) {
            SameOriginCheck.require(exchange);
            logins.end(session.get());
            cookie.clear(exchange);
            open.endRevoked();
        }
    }

    private Identified identify(Exchange exchange) {
        Optional<CallerSecret> key = apiKey(exchange);
        if (key.isPresent()) {
            return byKey(exchange, key.get());
        }
        CallerSecret session =
                cookie.read(exchange)
                        .orElseThrow(
                                () ->
                                        BearerToken.unauthenticated(
                                                "an API key or a login is needed"));
        return bySession(exchange, session);
    }

    private Identified byKey(Exchange exchange, CallerSecret key) {
        String address = failures.address(exchange);
        failures.require(address, key.hash());
        Supplier<Optional<Caller>> again = () -> keys.findCaller(key);
        Caller caller =
                again.get()
                        .orElseThrow(() -> wrongCredential(exchange, "the API key is not valid"));
        failures.accepted(address, key.hash());
        uses.addKey(key.hash());
        return new Identified(caller, again);
    }

    /**
     * An expired cookie does not count as a failed attempt: every browser has one at some time, and
     * a cookie cannot be guessed.
     */
    private Identified bySession(Exchange exchange, CallerSecret session) {
        Supplier<Optional<Caller>> again = () -> logins.find(session);
        Caller caller =
                again.get().orElseThrow(() -> BearerToken.unauthenticated("the login has ended"));
        SameOriginCheck.require(exchange);
        uses.addSession(session.hash());
        return new Identified(caller, again);
    }

    private static Optional<CallerSecret> apiKey(Exchange exchange) {
        return BearerToken.find(exchange)
                .or(() -> exchange.header("X-Api-Key"))
                .map(CallerSecret::new);
    }
}
