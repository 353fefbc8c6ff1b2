package dev.satchel.server.user;

import dev.satchel.http.SatchelException;
import dev.satchel.server.access.AccessStore;
import dev.satchel.server.access.BrowserLogins.SignedIn;
import dev.satchel.server.access.CallerCredential;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.access.User;
import dev.satchel.server.access.UserId;
import dev.satchel.server.access.UserRole;
import dev.satchel.server.audit.AuditEvent;
import dev.satchel.server.audit.AuditStore;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.user.oidc.OidcException;
import dev.satchel.server.user.oidc.OidcIdentity;
import dev.satchel.server.user.oidc.OidcSettings;
import java.time.Clock;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds or adds the person of an identity, and signs them in. An e-mail address alone finds nobody
 * except a person for whom an owner has just made a link: addresses are given to others, and some
 * providers let people choose them.
 */
final class OidcPeople {
    private static final TenantId TENANT = TenantId.DEFAULT;
    private static final int MAX_NAME = 100;

    private final Database database;
    private final AccessStore access;
    private final Records records;
    private final SignInService signIn;
    private final OidcSettings settings;
    private final Clock clock;

    OidcPeople(
            Database database,
            AccessStore access,
            Records records,
            SignInService signIn,
            OidcSettings settings,
            Clock clock) {
        this.database = database;
        this.access = access;
        this.records = records;
        this.signIn = signIn;
        this.settings = settings;
        this.clock = clock;
    }

    /** What is stored of identities and sign-ins. */
    record Records(UserIdentityStore identities, AuditStore audit) {}

    /** A refusal leaves nothing but its row in the audit log. */
    SignedIn signIn(OidcIdentity identity) throws OidcException {
        try {
            UserRole role = requireAdmitted(identity);
            return database.write(
                    tx -> {
                        access.lockTenant(tx, TENANT);
                        User user = withRole(tx, person(tx, identity, role), role);
                        return signIn.open(tx, user, CallerCredential.OIDC);
                    });
        } catch (Refused refused) {
            database.change(tx -> recordRefusal(tx, identity, refused.event()));
            throw new OidcException(refused.text());
        }
    }

    /** Leaves a transaction without a trace. */
    private static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final String event;
        private final String text;

        Refused(String event, String text) {
            super(text);
            this.event = event;
            this.text = text;
        }

        String event() {
            return event;
        }

        String text() {
            return text;
        }
    }

    /** The role that the provider gives; null if the operator follows no roles of the provider. */
    private @Nullable UserRole requireAdmitted(OidcIdentity identity) {
        if (!settings.allowsDomain(identity.verifiedEmail())) {
            throw new Refused(
                    "domain", "Your account has no verified e-mail address of an allowed domain.");
        }
        if (settings.roleClaim() == null) {
            return null;
        }
        return identity.roles().stream()
                .flatMap(word -> UserRole.find(word).stream())
                .max(Comparator.naturalOrder())
                .orElseThrow(() -> new Refused("role", "Your account has no role here."));
    }

    private User person(Transaction tx, OidcIdentity identity, @Nullable UserRole role) {
        String key = UserIdentityStore.identity(identity.issuer(), identity.subject());
        Optional<UserIdentityStore.Stored> known = records.identities().find(tx, TENANT, key);
        UserId user = known.map(UserIdentityStore.Stored::user).orElse(null);
        if (user != null) {
            return access.users().find(tx, TENANT, user).orElseThrow();
        }
        Optional<User> invited = invited(tx, identity);
        if (known.isPresent() && invited.isEmpty()) {
            throw new Refused("removed", "An owner has removed your account.");
        }
        User joined = invited.isPresent() ? invited.get() : add(tx, identity, role);
        records.identities().set(tx, TENANT, joined.id(), key, clock.instant());
        record(tx, joined, "joined");
        return joined;
    }

    /** The person for whom an owner has made a link with this address; the link ends. */
    private Optional<User> invited(Transaction tx, OidcIdentity identity) {
        Optional<User> invited =
                Optional.ofNullable(identity.verifiedEmail())
                        .flatMap(email -> access.users().findByEmail(tx, TENANT, email))
                        .filter(user -> access.hasOpenInvitation(tx, user, clock.instant()));
        invited.ifPresent(user -> access.endLinks(tx, TENANT, user.id()));
        return invited;
    }

    private User add(Transaction tx, OidcIdentity identity, @Nullable UserRole role) {
        if (!settings.admitsUnknown()) {
            throw new Refused(
                    "not_invited", "Ask an owner to invite you with your e-mail address.");
        }
        User user =
                new User(
                        TENANT,
                        UserId.random(),
                        name(identity),
                        address(identity),
                        role == null ? UserRole.MEMBER : role,
                        clock.instant());
        if (!access.users().add(tx, user)) {
            throw new Refused(
                    "email_taken",
                    "Another person here has your e-mail address. If that is you, ask an owner for"
                            + " a new link, leave it unused, and sign in here again.");
        }
        return user;
    }

    /** The role of the provider is followed, but a tenant keeps an owner. */
    private User withRole(Transaction tx, User user, @Nullable UserRole role) {
        if (role == null || role == user.role() || isLastOwner(tx, user)) {
            return user;
        }
        User changed =
                new User(
                        user.tenant(),
                        user.id(),
                        user.name(),
                        user.email(),
                        role,
                        user.createdAt());
        access.users().update(tx, changed);
        record(tx, changed, "changed");
        return changed;
    }

    private boolean isLastOwner(Transaction tx, User user) {
        return user.role() == UserRole.OWNER
                && access.users().list(tx, TENANT).stream()
                        .filter(other -> other.role() == UserRole.OWNER)
                        .allMatch(other -> other.id().equals(user.id()));
    }

    private static @Nullable String address(OidcIdentity identity) {
        try {
            return UserService.email(identity.verifiedEmail());
        } catch (SatchelException _) {
            return null; // the person has none that mail programs would take
        }
    }

    private static String name(OidcIdentity identity) {
        String named = identity.name().replaceAll("\\p{Cntrl}", " ").strip();
        String name = named.isEmpty() ? "Person" : named;
        return name.length() <= MAX_NAME ? name : name.substring(0, MAX_NAME);
    }

    private void record(Transaction tx, User user, String event) {
        AuditEvent.Actor actor = new AuditEvent.Actor(user.id(), CallerCredential.OIDC);
        records.audit()
                .add(
                        tx,
                        new AuditEvent(
                                TENANT,
                                actor,
                                null,
                                AuditEvent.Action.PERSON,
                                user.id().value(),
                                AuditEvent.Outcome.ALLOWED,
                                Map.of("event", event, "role", user.role().word())),
                        clock.millis());
    }

    private void recordRefusal(Transaction tx, OidcIdentity identity, String reason) {
        records.audit()
                .add(
                        tx,
                        new AuditEvent(
                                TENANT,
                                null,
                                null,
                                AuditEvent.Action.SIGN_IN,
                                identity.subject(),
                                AuditEvent.Outcome.DENIED,
                                Map.of("with", CallerCredential.OIDC.value(), "reason", reason)),
                        clock.millis());
    }
}
