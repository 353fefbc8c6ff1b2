package dev.satchel.server.user;

import dev.satchel.http.Router;
import dev.satchel.server.access.AccessStore;
import dev.satchel.server.access.ApiKeys;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.BrowserLogins;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.User;
import dev.satchel.server.audit.AuditStore;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.user.oidc.OidcClient;
import java.net.URI;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** Creates the services of this package and adds their routes. */
public final class People {
    private final Database database;
    private final AccessStore store;
    private final Removal removal;
    private final AuditStore audit = new AuditStore();
    private final UserIdentityStore identities = new UserIdentityStore();
    private final Optional<OidcClient> provider;
    private final Clock clock;

    /**
     * What ends the work of a person who is removed.
     *
     * @param inTransaction in the transaction that removes the person
     * @param afterwards after it
     */
    public record Removal(BiConsumer<Transaction, User> inTransaction, Consumer<User> afterwards) {}

    /**
     * @param provider where people sign in too, if the operator has chosen one
     */
    public People(
            Database database,
            AccessStore store,
            Removal removal,
            Optional<OidcClient> provider,
            Clock clock) {
        this.removal = removal;
        this.provider = provider;
        this.database = database;
        this.store = store;
        this.clock = clock;
    }

    /**
     * Adds the routes with which people are managed and sign in.
     *
     * @param limits what a caller may use, by names
     */
    public void addTo(
            Router router,
            Authentication access,
            ApiKeys keys,
            BrowserLogins logins,
            Supplier<URI> publicUrl,
            Function<Caller, Map<String, Map<String, Long>>> limits) {
        Passwords passwords = new Passwords(database, store, audit, clock);
        SignInService signIn =
                new SignInService(database, store.users(), logins, passwords, audit, clock);
        UserService users =
                new UserService(
                        database,
                        store,
                        logins,
                        new UserService.Records(passwords.store(), identities, audit),
                        removal,
                        clock);
        new MeRoutes(access, signIn, users, limits).addTo(router);
        new KeyRoutes(access, new KeyService(database, keys, audit, clock)).addTo(router);
        new LoginSessionRoutes(access, logins).addTo(router);
        PasswordChanges changes = new PasswordChanges(access, passwords);
        new UserRoutes(access, users, changes, publicUrl).addTo(router);
        SignInPages pages = new SignInPages(provider.map(it -> it.settings().name()).orElse(""));
        new LoginRoutes(access, signIn, changes, pages, logins, publicUrl).addTo(router);
        LogoutRoutes.ProviderSignOut signOut = LogoutRoutes.ProviderSignOut.NONE;
        if (provider.isPresent()) {
            OidcRoutes oidc = oidc(provider.get(), access, signIn, pages, publicUrl);
            oidc.addTo(router);
            signOut = oidc::signOut;
        } else {
            OidcRoutes.addMissing(router);
        }
        new LogoutRoutes(access, signIn, signOut).addTo(router);
    }

    private OidcRoutes oidc(
            OidcClient client,
            Authentication access,
            SignInService signIn,
            SignInPages pages,
            Supplier<URI> publicUrl) {
        OidcPeople people =
                new OidcPeople(
                        database,
                        store,
                        new OidcPeople.Records(identities, audit),
                        signIn,
                        client.settings(),
                        clock);
        return new OidcRoutes(access, client, people, new OidcCookies(publicUrl), pages, clock);
    }
}
