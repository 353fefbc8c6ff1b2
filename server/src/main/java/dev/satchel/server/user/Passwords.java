package dev.satchel.server.user;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Fields;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.AccessStore;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.CallerCredential;
import dev.satchel.server.access.Scope;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.access.User;
import dev.satchel.server.audit.AuditEvent;
import dev.satchel.server.audit.AuditStore;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** Sets and checks the passwords of people. Shared between threads. */
final class Passwords {
    static final int MIN_LENGTH = 10;
    static final int MAX_LENGTH = 200;

    /** Every check takes 19 MiB: more at once wait. */
    private static final int AT_ONCE = 2;

    /** For how long after an invitation or a reset a password is set without the one before. */
    private static final Duration FRESH = Duration.ofHours(1);

    private final Database database;
    private final AccessStore access;
    private final AuditStore audit;
    private final Clock clock;
    private final PasswordStore store = new PasswordStore();
    private final Semaphore permits = new Semaphore(AT_ONCE);

    /** Compared where there is no password, so that the time tells nothing. */
    private final String nobody = PasswordHash.of("nobody has this password");

    Passwords(Database database, AccessStore access, AuditStore audit, Clock clock) {
        this.database = database;
        this.access = access;
        this.audit = audit;
        this.clock = clock;
    }

    PasswordStore store() {
        return store;
    }

    /**
     * Sets the password of a caller and ends their other sessions. A password gives all rights for
     * ever, so neither a restricted credential nor one that expires may set it, and the one before
     * is needed unless the person has just come by an invitation or a reset.
     *
     * @return false if the password before is missing or wrong
     */
    boolean set(Caller caller, String password, @Nullable String before)
            throws InterruptedException {
        if (password.length() < MIN_LENGTH) {
            throw Fields.invalid("password", "has fewer than " + MIN_LENGTH + " characters");
        }
        Fields.atMost("password", password, MAX_LENGTH);
        Optional<PasswordStore.Stored> replaced = database.read(tx -> requireMaySet(tx, caller));
        if (replaced.isPresent() && !matches(before, replaced.get().hash())) {
            return false;
        }
        String hash = hash(password);
        database.change(
                tx -> {
                    if (!requireMaySet(tx, caller).equals(replaced)) {
                        throw new SatchelException(
                                ErrorCode.CONFLICT, "the password was changed meanwhile");
                    }
                    access.endOthers(tx, caller);
                    store.set(tx, caller.tenant(), caller.user(), hash, clock.instant());
                    audit.add(
                            tx,
                            AuditEvent.by(caller, AuditEvent.Action.PERSON, caller.user().value())
                                    .with(Map.of("event", "password_set")),
                            clock.millis());
                });
        return true;
    }

    /** The password that the caller must know to set another one. */
    private Optional<PasswordStore.Stored> requireMaySet(Transaction tx, Caller caller) {
        AccessStore.Origin origin = access.origin(tx, caller);
        if (!caller.scopes().equals(Scope.ALL) || origin.expiresAt() != null) {
            throw new SatchelException(
                    ErrorCode.FORBIDDEN,
                    "a password gives all rights without end, so a key or login that is restricted"
                            + " or expires with a key cannot set it");
        }
        if (origin.openedBy().equals(CallerCredential.OIDC)) {
            throw new SatchelException(
                    ErrorCode.FORBIDDEN,
                    "you sign in at a provider, and a password would go on when that account ends");
        }
        return store.find(tx, caller.tenant(), caller.user())
                .filter(stored -> !isFresh(origin, stored));
    }

    private boolean isFresh(AccessStore.Origin origin, PasswordStore.Stored stored) {
        boolean mayReplace =
                origin.openedBy().equals(CallerCredential.RESET)
                        || origin.openedBy().equals(CallerCredential.INVITATION);
        return mayReplace
                && origin.since().plus(FRESH).isAfter(clock.instant())
                && stored.changedAt().isBefore(origin.since());
    }

    /** The person with an e-mail address and a password; takes as long if there is none. */
    Optional<User> find(String tenant, String email, String password) throws InterruptedException {
        if (!TenantId.isValid(tenant)
                || email.indexOf('\0') >= 0
                || email.length() > MAX_LENGTH
                || password.length() > MAX_LENGTH) {
            return Optional.empty();
        }
        Optional<User> user =
                database.read(tx -> access.users().findByEmail(tx, new TenantId(tenant), email));
        String hash =
                user.flatMap(it -> database.read(tx -> store.find(tx, it.tenant(), it.id())))
                        .map(PasswordStore.Stored::hash)
                        .orElse(nobody);
        return matches(password, hash) && !hash.equals(nobody) ? user : Optional.empty();
    }

    private String hash(String password) throws InterruptedException {
        permits.acquire();
        try {
            return PasswordHash.of(password);
        } finally {
            permits.release();
        }
    }

    private boolean matches(@Nullable String password, String hash) throws InterruptedException {
        if (password == null || password.length() > MAX_LENGTH) {
            return false;
        }
        permits.acquire();
        try {
            return PasswordHash.matches(password, hash);
        } finally {
            permits.release();
        }
    }
}
