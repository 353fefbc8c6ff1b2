package dev.satchel.server.user;

import dev.satchel.http.Fields;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.access.User;
import dev.satchel.server.access.UserStore;
import dev.satchel.server.audit.AuditEvent;
import dev.satchel.server.audit.AuditStore;
import dev.satchel.server.database.Database;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/** Sets and checks the passwords of people. Shared between threads. */
final class Passwords {
    static final int MIN_LENGTH = 10;
    static final int MAX_LENGTH = 200;

    /** Every check takes 19 MiB: more at once wait. */
    private static final int AT_ONCE = 2;

    private final Database database;
    private final UserStore users;
    private final AuditStore audit;
    private final Clock clock;
    private final PasswordStore store = new PasswordStore();
    private final Semaphore permits = new Semaphore(AT_ONCE);

    /** Compared where there is no password, so that the time tells nothing. */
    private final String nobody = PasswordHash.of("nobody has this password");

    Passwords(Database database, UserStore users, AuditStore audit, Clock clock) {
        this.database = database;
        this.users = users;
        this.audit = audit;
        this.clock = clock;
    }

    PasswordStore store() {
        return store;
    }

    void set(Caller caller, String password) throws InterruptedException {
        if (password.length() < MIN_LENGTH) {
            throw Fields.invalid("password", "has fewer than " + MIN_LENGTH + " characters");
        }
        Fields.atMost("password", password, MAX_LENGTH);
        String hash = hash(password);
        database.change(
                tx -> {
                    store.set(tx, caller.tenant(), caller.user(), hash, clock.instant());
                    audit.add(
                            tx,
                            AuditEvent.by(caller, AuditEvent.Action.PERSON, caller.user().value())
                                    .with(Map.of("event", "password_set")),
                            clock.millis());
                });
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
                database.read(tx -> users.findByEmail(tx, new TenantId(tenant), email));
        String hash =
                user.flatMap(it -> database.read(tx -> store.find(tx, it.tenant(), it.id())))
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

    private boolean matches(String password, String hash) throws InterruptedException {
        permits.acquire();
        try {
            return PasswordHash.matches(password, hash);
        } finally {
            permits.release();
        }
    }
}
