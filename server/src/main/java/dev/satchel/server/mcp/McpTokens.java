package dev.satchel.server.mcp;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.CallerSecret;
import dev.satchel.server.audit.AuditEvent;
import dev.satchel.server.audit.AuditStore;
import dev.satchel.server.conversation.ConversationData;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Tokens of one conversation each. Issuing a token ends the one before; using a token extends it to
 * two hours.
 */
public final class McpTokens implements ConversationData {
    static final String PREFIX = "pmcp_";
    static final Duration LIFETIME = Duration.ofHours(2);

    /** The expiry is not written on every call. */
    private static final Duration SLACK = Duration.ofMinutes(1);

    /** How many unknown tokens a minute are written to the audit log. */
    private static final int GUESSES_PER_MINUTE = 60;

    private final Database database;
    private final McpTokenStore store = new McpTokenStore();
    private final AuditStore audit = new AuditStore();
    private final CallRateLimiter guesses;
    private final AtomicLong unwritten = new AtomicLong();
    private final Clock clock;

    public McpTokens(Database database, Clock clock) {
        this.database = database;
        this.guesses = new CallRateLimiter(clock, GUESSES_PER_MINUTE);
        this.clock = clock;
    }

    /** A new token; only its hash is stored. */
    record Issued(CallerSecret token, long expiresAt) {}

    Issued issue(McpSession session) {
        CallerSecret token = CallerSecret.random(PREFIX);
        long now = clock.millis();
        long expires = now + LIFETIME.toMillis();
        database.change(
                tx -> {
                    boolean rotated = store.end(tx, session.conversation(), "rotated");
                    if (!store.insert(tx, token.hash(), session, now, expires)) {
                        throw new SatchelException(ErrorCode.NOT_FOUND, "no such chat");
                    }
                    record(tx, session, rotated ? "rotated" : "issued", now);
                });
        return new Issued(token, expires);
    }

    /** False when there was no token. */
    boolean revoke(Caller caller, ConversationId conversation) {
        return database.write(
                tx -> {
                    boolean revoked = store.end(tx, conversation, "revoked");
                    if (revoked) {
                        record(
                                tx,
                                new McpSession(
                                        caller.tenant(),
                                        caller.user(),
                                        conversation,
                                        false,
                                        caller.credential()),
                                "revoked",
                                clock.millis());
                    }
                    return revoked;
                });
    }

    /** Checks a token on every request; a refusal is written to the audit log with its reason. */
    Optional<McpSession> find(String given) {
        String hash = new CallerSecret(given).hash();
        long now = clock.millis();
        Optional<McpTokenStore.Bound> found = database.read(tx -> store.find(tx, hash, now));
        if (found.isEmpty()) {
            refuseUnknown(now);
            return Optional.empty();
        }
        McpTokenStore.Bound bound = found.get();
        String refusal = bound.refusal();
        if (refusal != null) {
            database.change(tx -> audit.add(tx, refused(bound.session(), refusal), now));
            return Optional.empty();
        }
        long expires = now + LIFETIME.toMillis();
        if (bound.expiresAt() + SLACK.toMillis() <= expires) {
            database.change(tx -> store.extend(tx, hash, expires));
        }
        return Optional.of(bound.session());
    }

    public void sweep() {
        database.change(tx -> store.dropExpired(tx, clock.millis()));
    }

    /** Limited, so that guesses cannot fill the disk; a row has the number of those left out. */
    private void refuseUnknown(long now) {
        if (!guesses.allows("all")) {
            unwritten.incrementAndGet();
            return;
        }
        AuditEvent guess = refused(null, "unknown");
        Map<String, String> detail = new HashMap<>(guess.detail());
        detail.put("unwritten", Long.toString(unwritten.getAndSet(0)));
        database.change(tx -> audit.add(tx, guess.with(detail), now));
    }

    private static AuditEvent refused(@Nullable McpSession session, String reason) {
        return new AuditEvent(
                session == null ? null : session.tenant(),
                session == null ? null : AuditEvent.Actor.of(session.caller()),
                session == null ? null : session.conversation().value(),
                AuditEvent.Action.TOKEN,
                session == null ? "mcp" : session.conversation().value(),
                AuditEvent.Outcome.DENIED,
                Map.of("event", "refused", "reason", reason));
    }

    private void record(Transaction tx, McpSession session, String event, long now) {
        audit.add(
                tx,
                AuditEvent.allowed(
                                session.tenant(),
                                session.conversation().value(),
                                AuditEvent.Action.TOKEN,
                                session.conversation().value())
                        .by(session.caller())
                        .with(Map.of("event", event)),
                now);
    }

    @Override
    public void erase(Transaction tx, ConversationId conversation) {
        store.erase(tx, conversation);
    }
}
