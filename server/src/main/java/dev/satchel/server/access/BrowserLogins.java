package dev.satchel.server.access;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One-time login links and the browser sessions that they start. */
public final class BrowserLogins {
    /** A link is opened soon after it was made, often from a terminal. */
    public static final Duration LINK_LIFETIME = Duration.ofMinutes(15);

    /** An invited person may open the letter days later. */
    public static final Duration INVITATION_LIFETIME = Duration.ofDays(7);

    /** From its beginning, however much a session is used. */
    static final Duration SESSION_LIFETIME = Duration.ofDays(30);

    private final Database database;
    private final AccessStore store;
    private final Clock clock;

    public BrowserLogins(Database database, AccessStore store, Clock clock) {
        this.database = database;
        this.store = store;
        this.clock = clock;
    }

    /** The token of a link and when it expires. */
    public record Link(CallerSecret token, Instant expiresAt) {}

    /** Who has signed in, and the secret of their session. */
    public record SignedIn(Caller caller, CallerSecret session) {}

    /** A link that signs in the caller. */
    public Link newLink(Caller caller) {
        Link link = new Link(CallerSecret.random(""), clock.instant().plus(LINK_LIFETIME));
        database.change(
                tx -> {
                    store.ensureTenant(tx, caller.tenant(), clock.instant());
                    addLink(tx, caller, store.origin(tx, caller).openedBy(), link);
                });
        return link;
    }

    /** A link that signs in a person for the first time, in a transaction of the caller. */
    public Link newInvitation(Transaction tx, Caller invited) {
        Link link = new Link(CallerSecret.random(""), clock.instant().plus(INVITATION_LIFETIME));
        addLink(tx, invited, invited.credential(), link);
        return link;
    }

    /** The sessions of a link that a session has made end with what opened that session. */
    private void addLink(Transaction tx, Caller caller, CallerCredential openedBy, Link link) {
        store.logins().dropExpired(tx, clock.instant());
        store.logins().addLink(tx, caller, openedBy, link.token().hash(), link.expiresAt());
    }

    /** Whom a link would sign in, without using it. */
    public Optional<Caller> peek(CallerSecret token) {
        return database.read(tx -> store.logins().findLink(tx, token.hash(), clock.instant()));
    }

    /** Starts a session for the first valid use of the token. */
    public Optional<SignedIn> redeem(Transaction tx, CallerSecret token) {
        return store.logins()
                .spendLink(tx, token.hash(), clock.instant())
                .map(caller -> open(tx, caller));
    }

    /** Starts a session, which ends with the credential of the caller. */
    public SignedIn open(Transaction tx, Caller caller) {
        Instant now = clock.instant();
        Instant longest = now.plus(SESSION_LIFETIME);
        Instant expires =
                store.keyExpiry(tx, caller.credential()).filter(longest::isAfter).orElse(longest);
        CallerSecret session = CallerSecret.random("");
        store.logins().addSession(tx, caller, session.hash(), now, expires);
        store.users().signedIn(tx, caller.tenant(), caller.user(), now);
        return new SignedIn(caller, session);
    }

    public Optional<Caller> find(CallerSecret session) {
        return database.read(tx -> store.logins().findCaller(tx, session.hash(), clock.instant()));
    }

    /** Those of the whole tenant for an owner, else the caller's own. */
    public List<LoginSession> list(Caller caller) {
        return database.read(
                tx -> store.logins().list(tx, caller.tenant(), managed(caller), clock.instant()));
    }

    public void end(CallerSecret session) {
        database.change(tx -> store.logins().endSession(tx, session.hash()));
    }

    /** The same error for unknown sessions and sessions of others. */
    public void end(Caller caller, String id) {
        boolean ended =
                database.write(
                        tx -> store.logins().endSession(tx, caller.tenant(), managed(caller), id));
        if (!ended) {
            throw new SatchelException(ErrorCode.NOT_FOUND, "no such login session");
        }
    }

    /** Whose sessions a caller manages; null for all of the tenant. */
    private static @Nullable UserId managed(Caller caller) {
        return caller.role() == UserRole.OWNER ? null : caller.user();
    }
}
