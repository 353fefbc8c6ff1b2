package dev.satchel.server.user;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Fields;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.AccessStore;
import dev.satchel.server.access.BrowserLogins;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.CallerCredential;
import dev.satchel.server.access.User;
import dev.satchel.server.access.UserId;
import dev.satchel.server.access.UserRole;
import dev.satchel.server.access.UserStore;
import dev.satchel.server.audit.AuditEvent;
import dev.satchel.server.audit.AuditStore;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The people of a tenant: owners invite, change and remove them. A tenant keeps an owner. */
final class UserService {
    /** For how long a person sees that their access was reset. */
    private static final Duration RESET_SHOWN = Duration.ofDays(30);

    private final Database database;
    private final AccessStore access;
    private final BrowserLogins logins;
    private final PasswordStore passwords;
    private final UserIdentityStore identities;
    private final AuditStore audit;
    private final People.Removal removal;
    private final Clock clock;

    UserService(
            Database database,
            AccessStore access,
            BrowserLogins logins,
            Records records,
            People.Removal removal,
            Clock clock) {
        this.database = database;
        this.access = access;
        this.logins = logins;
        this.passwords = records.passwords();
        this.identities = records.identities();
        this.audit = records.audit();
        this.removal = removal;
        this.clock = clock;
    }

    /** What is stored of people besides their rows. */
    record Records(PasswordStore passwords, UserIdentityStore identities, AuditStore audit) {}

    /** A person, and the link that signs them in once. */
    record Invited(User user, BrowserLogins.Link link) {}

    /** What is changed of a person; null stays as it is. */
    record Change(@Nullable String name, @Nullable String email, @Nullable UserRole role) {}

    List<User> list(Caller caller) {
        return database.read(tx -> access.users().list(tx, caller.tenant()));
    }

    User get(Caller caller, String id) {
        return database.read(tx -> find(tx, caller, id));
    }

    Invited invite(Caller caller, String name, @Nullable String email, UserRole role) {
        User user = new User(caller.tenant(), UserId.random(), name, email, role, clock.instant());
        return database.write(
                tx -> {
                    access.lockTenant(tx, caller.tenant());
                    if (!access.users().add(tx, user)) {
                        throw emailTaken();
                    }
                    record(tx, caller, user.id(), Map.of("event", "invited", "role", role.word()));
                    return invited(tx, user, CallerCredential.INVITATION);
                });
    }

    /**
     * A new link for a person who has lost the one before, which ends. The link signs in as the
     * person, who may have private chats once they have signed in: then it must be asked for as a
     * reset, which the person sees.
     */
    Invited inviteAgain(Caller caller, String id, boolean isReset) {
        return database.write(
                tx -> {
                    User user = find(tx, caller, id);
                    if (access.users().hasAccess(tx, user)) {
                        requireReset(isReset);
                        return reset(tx, caller, user);
                    }
                    access.endLinks(tx, user.tenant(), user.id());
                    record(tx, caller, user.id(), Map.of("event", "invited_again"));
                    return invited(tx, user, CallerCredential.INVITATION);
                });
    }

    private static void requireReset(boolean isReset) {
        if (!isReset) {
            throw new SatchelException(
                    ErrorCode.CONFLICT,
                    "this person has signed in before, so a link would sign in as them. If they"
                            + " cannot sign in any more, ask for a reset (reset=true): it is"
                            + " audited, and the person sees it.");
        }
    }

    private Invited reset(Transaction tx, Caller caller, User user) {
        access.endLinks(tx, user.tenant(), user.id());
        access.users().setReset(tx, user, caller.user(), clock.instant());
        audit.add(
                tx,
                AuditEvent.by(caller, AuditEvent.Action.RESET, user.id().value()),
                clock.millis());
        return invited(tx, user, CallerCredential.RESET);
    }

    private Invited invited(Transaction tx, User user, CallerCredential credential) {
        return new Invited(user, logins.newInvitation(tx, Caller.of(user, credential)));
    }

    /** The last reset of the caller's access, for a while. */
    Optional<UserStore.AccessReset> findReset(Caller caller) {
        Instant since = clock.instant().minus(RESET_SHOWN);
        return database.read(
                tx -> access.users().findReset(tx, caller.tenant(), caller.user(), since));
    }

    User change(Caller caller, String id, Change change) {
        return database.write(
                tx -> {
                    access.lockTenant(tx, caller.tenant());
                    User before = find(tx, caller, id);
                    User after =
                            new User(
                                    before.tenant(),
                                    before.id(),
                                    Optional.ofNullable(change.name()).orElse(before.name()),
                                    Optional.ofNullable(change.email()).orElse(before.email()),
                                    Optional.ofNullable(change.role()).orElse(before.role()),
                                    before.createdAt());
                    if (after.role() != UserRole.OWNER) {
                        requireOtherOwner(tx, before);
                    }
                    requireFree(tx, after);
                    access.users().update(tx, after);
                    record(
                            tx,
                            caller,
                            after.id(),
                            Map.of("event", "changed", "role", after.role().word()));
                    return after;
                });
    }

    /** Ends everything with which the person could sign in or call, and what runs for them. */
    void remove(Caller caller, String id) {
        User removed =
                database.write(
                        tx -> {
                            access.lockTenant(tx, caller.tenant());
                            User user = find(tx, caller, id);
                            requireOtherOwner(tx, user);
                            removal.inTransaction().accept(tx, user);
                            access.remove(tx, user, clock.instant());
                            passwords.remove(tx, user.tenant(), user.id());
                            identities.remove(tx, user.tenant(), user.id());
                            record(tx, caller, user.id(), Map.of("event", "removed"));
                            return user;
                        });
        removal.afterwards().accept(removed);
    }

    private User find(Transaction tx, Caller caller, String id) {
        return Optional.of(id)
                .filter(UserId::isValid)
                .flatMap(it -> access.users().find(tx, caller.tenant(), new UserId(it)))
                .orElseThrow(() -> new SatchelException(ErrorCode.NOT_FOUND, "no such person"));
    }

    private void requireOtherOwner(Transaction tx, User user) {
        boolean hasOther =
                access.users().list(tx, user.tenant()).stream()
                        .anyMatch(
                                other ->
                                        other.role() == UserRole.OWNER
                                                && !other.id().equals(user.id()));
        if (user.role() == UserRole.OWNER && !hasOther) {
            throw new SatchelException(
                    ErrorCode.CONFLICT, "this is the last owner: make another person one first");
        }
    }

    private void requireFree(Transaction tx, User user) {
        String email = user.email();
        if (email != null
                && access.users()
                        .findByEmail(tx, user.tenant(), email)
                        .filter(other -> !other.id().equals(user.id()))
                        .isPresent()) {
            throw emailTaken();
        }
    }

    private void record(Transaction tx, Caller caller, UserId user, Map<String, String> detail) {
        audit.add(
                tx,
                AuditEvent.by(caller, AuditEvent.Action.PERSON, user.value()).with(detail),
                clock.millis());
    }

    /** An address as requests have it. */
    static @Nullable String email(@Nullable String email) {
        if (email == null) {
            return null;
        }
        String stripped = Fields.text("email", email, Passwords.MAX_LENGTH).strip();
        int at = stripped.indexOf('@');
        if (at < 1 || at == stripped.length() - 1 || stripped.contains(" ")) {
            throw Fields.invalid("email", "is not an address");
        }
        return stripped;
    }

    private static SatchelException emailTaken() {
        return new SatchelException(
                ErrorCode.CONFLICT, "a person of this tenant has this e-mail address");
    }
}
