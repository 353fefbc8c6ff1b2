package dev.satchel.server.user;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.BrowserLogins.SignedIn;
import dev.satchel.server.user.oidc.OidcAttempt;
import dev.satchel.server.user.oidc.OidcClient;
import dev.satchel.server.user.oidc.OidcException;
import dev.satchel.server.user.oidc.OidcIdentity;
import java.io.IOException;
import java.time.Clock;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Signs browsers in at the provider of the operator, and out again. */
final class OidcRoutes {
    private static final Logger LOG = LoggerFactory.getLogger(OidcRoutes.class);

    /** What browsers say of a request that a page of this server, or no page, has begun. */
    private static final Set<String> OWN_SITES = Set.of("same-origin", "none");

    private static final int UNAVAILABLE = 503;

    private final Authentication access;
    private final OidcClient client;
    private final OidcPeople people;
    private final OidcCookies cookies;
    private final SignInPages pages;
    private final Clock clock;

    OidcRoutes(
            Authentication access,
            OidcClient client,
            OidcPeople people,
            OidcCookies cookies,
            SignInPages pages,
            Clock clock) {
        this.access = access;
        this.client = client;
        this.people = people;
        this.cookies = cookies;
        this.pages = pages;
        this.clock = clock;
    }

    void addTo(Router router) {
        router.get("/login/oidc", this::begin);
        router.get(OidcClient.CALLBACK, this::finish);
    }

    /** For a server without a provider. */
    static void addMissing(Router router) {
        router.get("/login/oidc", _ -> refuseMissing());
        router.get(OidcClient.CALLBACK, _ -> refuseMissing());
    }

    private static void refuseMissing() {
        throw new SatchelException(
                ErrorCode.NOT_FOUND,
                "this server has no provider of sign-ins (SATCHEL_OIDC_ISSUER)");
    }

    /** Where this browser signs out at the provider, if it has signed in there. */
    Optional<String> signOut(Exchange exchange) throws InterruptedException {
        return cookies.hasToken(exchange)
                ? client.signOutUrl(cookies.takeToken(exchange))
                : Optional.empty();
    }

    /** A link on another site shows the form, and signs nobody in without a click. */
    private void begin(Exchange exchange) throws InterruptedException {
        ReturnPath page = ReturnPath.of(exchange.query("return"));
        if (!OWN_SITES.contains(exchange.header("Sec-Fetch-Site").orElse("none"))) {
            pages.signIn(exchange, 200, SignInPages.Asked.of(page), "");
            return;
        }
        try {
            access.requireNotThrottled(exchange);
            OidcAttempt attempt = OidcAttempt.begin(clock.instant(), page.value());
            String address = client.authorizationUrl(attempt);
            cookies.setAttempt(exchange, attempt);
            exchange.header("Location", address);
            exchange.header("Cache-Control", "no-store");
            exchange.send(303);
        } catch (SatchelException refusal) {
            refuse(exchange, refusal);
        } catch (IOException e) {
            unavailable(exchange, e);
        }
    }

    private void finish(Exchange exchange) throws InterruptedException {
        if (exchange.isHead()) {
            pages.signIn(exchange, 200, SignInPages.Asked.of(ReturnPath.HOME), "");
            return; // a preview of the address must not use the code
        }
        try {
            access.requireNotThrottled(exchange);
            OidcAttempt attempt = attempt(exchange);
            cookies.clearAttempt(exchange);
            OidcIdentity identity = client.finish(attempt, code(exchange), exchange.query("iss"));
            SignedIn opened = people.signIn(identity);
            access.signIn(exchange, opened);
            cookies.setToken(exchange, identity.idToken());
            pages.welcome(exchange, ReturnPath.of(Optional.of(attempt.page())));
            access.open().endRevoked(); // the role may be a lower one now
        } catch (OidcException e) {
            LOG.warn("sign-in at the provider refused: {}", e.getMessage());
            refuse(exchange, access.wrongCredential(exchange, String.valueOf(e.getMessage())));
        } catch (SatchelException refusal) {
            refuse(exchange, refusal);
        } catch (IOException e) {
            unavailable(exchange, e);
        }
    }

    private OidcAttempt attempt(Exchange exchange) throws OidcException {
        String state = exchange.query("state").orElse("");
        return cookies.attempt(exchange, clock.instant())
                .filter(attempt -> attempt.hasState(state))
                .orElseThrow(
                        () ->
                                new OidcException(
                                        "This sign-in was begun in another browser, was used"
                                                + " before, or took too long."));
    }

    /** The words of the provider are shown only to a browser that has asked it. */
    private static String code(Exchange exchange) throws OidcException {
        Optional<String> error = exchange.query("error");
        if (error.isPresent()) {
            throw new OidcException(
                    "The provider refused: "
                            + exchange.query("error_description").orElse(error.get()));
        }
        return exchange.query("code")
                .orElseThrow(() -> new OidcException("The provider sent no code."));
    }

    private void refuse(Exchange exchange, SatchelException refusal) {
        refusal.headers().forEach(exchange::header);
        pages.refused(exchange, refusal.code().status(), refusal.text());
    }

    /** No fault of the person, so it does not count as a wrong credential. */
    private void unavailable(Exchange exchange, IOException e) {
        LOG.warn("the provider of sign-ins cannot be used: {}", e.getMessage());
        pages.refused(
                exchange,
                UNAVAILABLE,
                "The provider cannot be used at the moment. The log of this server says why.");
    }
}
