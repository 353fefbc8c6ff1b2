package dev.satchel.server.audit;

import dev.satchel.server.access.Caller;
import dev.satchel.server.access.CallerCredential;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.access.UserId;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One entry of the audit log. {@code target} is an id, a name or a path, {@code detail} a few
 * words: never the content of a file, never a credential.
 */
public record AuditEvent(
        @Nullable TenantId tenant,
        @Nullable Actor actor,
        @Nullable String session,
        Action action,
        String target,
        Outcome outcome,
        Map<String, String> detail) {
    private static final int MAX_TARGET = 300;

    public enum Action {
        UPLOAD,
        MOVE,
        DELETE,
        TOOL_CALL,
        TOKEN,
        SIGN_IN,
        SIGN_OUT,
        KEY,
        PERSON,
        RESET,
        SHARE,
        AGENT,
        CREDENTIAL,
        EXEC,
        LIMIT
    }

    /** Who has done it, and with which credential. */
    public record Actor(UserId user, CallerCredential credential) {
        public static Actor of(Caller caller) {
            return new Actor(caller.user(), caller.credential());
        }
    }

    public enum Outcome {
        ALLOWED,
        DENIED,
        FAILED
    }

    public AuditEvent {
        target = target.length() <= MAX_TARGET ? target : target.substring(0, MAX_TARGET) + "…";
        target = target.replace('\0', '?'); // PostgreSQL cannot store it
        detail = Map.copyOf(detail);
    }

    public static AuditEvent allowed(
            TenantId tenant, String session, Action action, String target) {
        return new AuditEvent(tenant, null, session, action, target, Outcome.ALLOWED, Map.of());
    }

    /** What a caller did that belongs to no conversation. */
    public static AuditEvent by(Caller caller, Action action, String target) {
        return new AuditEvent(
                caller.tenant(), Actor.of(caller), null, action, target, Outcome.ALLOWED, Map.of());
    }

    /** Names the caller, if the event does not come of the server itself. */
    public AuditEvent by(Caller caller) {
        return new AuditEvent(tenant, Actor.of(caller), session, action, target, outcome, detail);
    }

    public AuditEvent with(Map<String, String> more) {
        return new AuditEvent(tenant, actor, session, action, target, outcome, more);
    }
}
