package dev.satchel.server.user;

import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import java.util.Optional;

/** Signs browsers out, here and at the provider where they have signed in. */
final class LogoutRoutes {
    private final Authentication access;
    private final SignInService signIn;
    private final ProviderSignOut provider;

    LogoutRoutes(Authentication access, SignInService signIn, ProviderSignOut provider) {
        this.access = access;
        this.signIn = signIn;
        this.provider = provider;
    }

    /** Finds the page at which this browser goes on to sign out. */
    @FunctionalInterface
    interface ProviderSignOut {
        ProviderSignOut NONE = _ -> Optional.empty();

        Optional<String> find(Exchange exchange) throws InterruptedException;
    }

    /** {@code url} is where the browser signs out at the provider. */
    record SignedOut(String url) {}

    void addTo(Router router) {
        router.post("/logout", this::signOut);
    }

    private void signOut(Exchange exchange) throws InterruptedException {
        Optional<Caller> caller = access.signedIn(exchange);
        access.signOut(exchange);
        caller.ifPresent(signIn::recordSignOut);
        Optional<String> url = provider.find(exchange);
        if (url.isPresent()) {
            exchange.json(200, new SignedOut(url.get()));
        } else {
            exchange.send(204);
        }
    }
}
