package dev.satchel.server.user;

import dev.satchel.server.access.BrowserLogins;
import dev.satchel.server.access.BrowserLogins.SignedIn;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.CallerCredential;
import dev.satchel.server.access.CallerSecret;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.access.User;
import dev.satchel.server.access.UserStore;
import dev.satchel.server.audit.AuditEvent;
import dev.satchel.server.audit.AuditStore;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;

/** Opens browser sessions, with one row in the audit log for each. */
final class SignInService {
    private final Database database;
    private final UserStore users;
    private final BrowserLogins logins;
    private final Passwords passwords;
    private final AuditStore audit;
    private final Clock clock;

    SignInService(
            Database database,
            UserStore users,
            BrowserLogins logins,
            Passwords passwords,
            AuditStore audit,
            Clock clock) {
        this.database = database;
        this.users = users;
        this.logins = logins;
        this.passwords = passwords;
        this.audit = audit;
        this.clock = clock;
    }

    /** Whom a link would sign in, without using it. */
    Optional<Caller> peek(CallerSecret token) {
        return logins.peek(token);
    }

    /** Uses a link; empty when it was used, has expired or is unknown. */
    Optional<SignedIn> byLink(CallerSecret token) {
        return database.write(
                tx -> {
                    Optional<SignedIn> opened = logins.redeem(tx, token);
                    opened.ifPresent(it -> record(tx, it.caller()));
                    return opened;
                });
    }

    /** Empty when there is no such tenant or person, or the password is another one. */
    Optional<SignedIn> byPassword(String tenant, String email, String password)
            throws InterruptedException {
        return passwords
                .find(tenant, email, password)
                .map(user -> database.write(tx -> open(tx, user, CallerCredential.PASSWORD)));
    }

    /** Opens a session for a person who has identified themselves in this way. */
    SignedIn open(Transaction tx, User user, CallerCredential credential) {
        Caller caller = Caller.of(user, credential);
        record(tx, caller);
        return logins.open(tx, caller);
    }

    void recordSignOut(Caller caller) {
        database.change(
                tx ->
                        audit.add(
                                tx,
                                AuditEvent.by(
                                        caller, AuditEvent.Action.SIGN_OUT, caller.user().value()),
                                clock.millis()));
    }

    Optional<User> find(Caller caller) {
        return database.read(tx -> users.find(tx, caller.tenant(), caller.user()));
    }

    /** How a page names a person. */
    String name(Caller caller) {
        String name = find(caller).map(User::name).orElse(caller.user().value());
        return caller.tenant().equals(TenantId.DEFAULT)
                ? name
                : name + " (" + caller.tenant().value() + ")";
    }

    private void record(Transaction tx, Caller caller) {
        audit.add(
                tx,
                AuditEvent.by(caller, AuditEvent.Action.SIGN_IN, caller.user().value())
                        .with(Map.of("with", caller.credential().value())),
                clock.millis());
    }
}
