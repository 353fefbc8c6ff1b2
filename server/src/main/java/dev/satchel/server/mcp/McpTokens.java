package dev.satchel.server.mcp;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.Credential;
import dev.satchel.server.access.TenantId;
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
 * Bearers bound to one conversation each. Issuing one ends the one before; using one keeps it alive
 * for another two hours.
 */
public final class McpTokens implements ConversationData {
    static final String PREFIX = "pmcp_";
    static final Duration LIFE = Duration.ofHours(2);

    /** A token in use is not written on every call. */
    private static final Duration SLACK = Duration.ofMinutes(1);

    /** So many of a minute's unknown tokens are written down. */
    private static final int GUESSES_PER_MINUTE = 60;

    private final Database database;
    private final McpTokenStore store = new McpTokenStore();
    private final AuditStore audit = new AuditStore();
    private final CallRate guesses;
    private final AtomicLong unwritten = new AtomicLong();
    private final Clock clock;

    public McpTokens(Database database, Clock clock) {
        this.database = database;
        this.guesses = new CallRate(clock, GUESSES_PER_MINUTE);
        this.clock = clock;
    }

    /** A token just made: the only moment at which it is known. */
    record Issued(Credential token, long expiresAt) {}

    Issued issue(TenantId tenant, ConversationId conversation) {
        McpSession session = new McpSession(tenant, conversation);
        Credential token = Credential.fresh(PREFIX);
        long now = clock.millis();
        long expires = now + LIFE.toMillis();
        database.change(
                tx -> {
                    boolean rotated = store.end(tx, conversation, "rotated");
                    if (!store.insert(tx, token.hash(), session, now, expires)) {
                        throw new SatchelException(ErrorCode.NOT_FOUND, "no such chat");
                    }
                    record(tx, session, rotated ? "rotated" : "issued", now);
                });
        return new Issued(token, expires);
    }

    /** Whether there was one. */
    boolean revoke(TenantId tenant, ConversationId conversation) {
        return database.write(
                tx -> {
                    boolean revoked = store.end(tx, conversation, "revoked");
                    if (revoked) {
                        record(tx, new McpSession(tenant, conversation), "revoked", clock.millis());
                    }
                    return revoked;
                });
    }

    /** Checked anew on every request; one that opens nothing leaves a row that says why. */
    Optional<McpSession> find(String given) {
        String hash = new Credential(given).hash();
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
        long expires = now + LIFE.toMillis();
        if (bound.expiresAt() + SLACK.toMillis() <= expires) {
            database.change(tx -> store.extend(tx, hash, expires));
        }
        return Optional.of(bound.session());
    }

    public void sweep() {
        database.change(tx -> store.dropExpired(tx, clock.millis()));
    }

    /** Anybody can guess, so guesses must not fill the disk; a row counts those left out before. */
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
                        .with(Map.of("event", event)),
                now);
    }

    @Override
    public void erase(Transaction tx, ConversationId conversation) {
        store.erase(tx, conversation);
    }
}
