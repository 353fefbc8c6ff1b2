package dev.satchel.server.audit;

import dev.satchel.server.access.TenantId;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One entry of the audit log. {@code target} is an id, a name or a path, {@code detail} a few
 * words: never the content of a file, never a credential.
 */
public record AuditEvent(
        @Nullable TenantId tenant,
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
        TOKEN
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
        return new AuditEvent(tenant, session, action, target, Outcome.ALLOWED, Map.of());
    }

    public AuditEvent with(Map<String, String> more) {
        return new AuditEvent(tenant, session, action, target, outcome, more);
    }
}
