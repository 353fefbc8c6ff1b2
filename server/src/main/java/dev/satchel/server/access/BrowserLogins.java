package dev.satchel.server.access;

import dev.satchel.server.access.AccessStore.Session;
import dev.satchel.server.database.Database;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** One-time login links and the browser sessions that they start. */
public final class BrowserLogins {
    static final Duration LINK_LIFETIME = Duration.ofHours(24);
    static final Duration SESSION_LIFETIME = Duration.ofDays(30);

    /** A session in daily use is extended once a day, not with every request. */
    private static final Duration EXTEND_AFTER = Duration.ofDays(1);

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

    /** A browser session; {@code extended} when the cookie must be sent again. */
    record Login(Caller caller, boolean extended) {}

    /** A link that signs in the caller. */
    public Link newLink(Caller caller) {
        Instant now = clock.instant();
        Link link = new Link(CallerSecret.random(""), now.plus(LINK_LIFETIME));
        database.change(
                tx -> {
                    store.dropExpired(tx, now);
                    store.ensureTenant(tx, caller.tenant(), now);
                    store.addLink(tx, caller, link.token().hash(), link.expiresAt());
                });
        return link;
    }

    /** Starts a session for the first valid use of the token. */
    Optional<CallerSecret> redeem(CallerSecret token) {
        Instant now = clock.instant();
        CallerSecret session = CallerSecret.random("");
        return database.write(
                tx -> {
                    Optional<Caller> caller = store.spendLink(tx, token.hash(), now);
                    caller.ifPresent(
                            person ->
                                    store.addSession(
                                            tx,
                                            session.hash(),
                                            new Session(person, now.plus(SESSION_LIFETIME)),
                                            now));
                    return caller.map(_ -> session);
                });
    }

    Optional<Login> find(CallerSecret session) {
        Instant now = clock.instant();
        return database.read(tx -> store.findSession(tx, session.hash(), now))
                .map(found -> new Login(found.caller(), extend(session, found, now)));
    }

    void end(CallerSecret session) {
        database.change(tx -> store.endSession(tx, session.hash()));
    }

    private boolean extend(CallerSecret session, Session found, Instant now) {
        Instant expires = now.plus(SESSION_LIFETIME);
        if (found.expiresAt().isAfter(expires.minus(EXTEND_AFTER))) {
            return false;
        }
        database.change(tx -> store.extendSession(tx, session.hash(), expires));
        return true;
    }
}
