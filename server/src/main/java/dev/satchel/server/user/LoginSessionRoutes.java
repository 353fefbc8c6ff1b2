package dev.satchel.server.user;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.BrowserLogins;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.LoginSession;
import dev.satchel.server.access.Permission;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code /api/login-sessions}: the browsers that are signed in. */
final class LoginSessionRoutes {
    private static final String ALL = "/api/login-sessions";

    private final Authentication access;
    private final BrowserLogins logins;

    LoginSessionRoutes(Authentication access, BrowserLogins logins) {
        this.access = access;
        this.logins = logins;
    }

    void addTo(Router router) {
        router.get(ALL, access.requireCaller(Permission.MANAGE_OWN_ACCESS, this::list));
        router.delete(ALL, access.requireCaller(Permission.MANAGE_OWN_ACCESS, this::endOthers));
        router.delete(ALL + "/{id}", access.requireCaller(Permission.MANAGE_OWN_ACCESS, this::end));
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record SessionView(
            String id,
            String userId,
            String openedBy,
            long createdAt,
            long expiresAt,
            @Nullable Long lastUsedAt,
            boolean current) {
        static SessionView of(LoginSession session, Caller caller) {
            Instant lastUse = session.lastUsedAt();
            return new SessionView(
                    session.id(),
                    session.user().value(),
                    session.openedBy().value(),
                    session.createdAt().toEpochMilli(),
                    session.expiresAt().toEpochMilli(),
                    lastUse == null ? null : lastUse.toEpochMilli(),
                    isCurrent(session, caller));
        }
    }

    record Sessions(List<SessionView> sessions) {}

    private void list(Exchange exchange, Caller caller) {
        exchange.json(
                200,
                new Sessions(
                        logins.list(caller).stream()
                                .map(session -> SessionView.of(session, caller))
                                .toList()));
    }

    private void end(Exchange exchange, Caller caller) {
        logins.end(caller, exchange.pathParameter("id"));
        exchange.send(204);
        access.open().endRevoked();
    }

    /** Ends the caller's own sessions, except the one that asks for it. */
    private void endOthers(Exchange exchange, Caller caller) {
        logins.list(caller).stream()
                .filter(session -> session.user().equals(caller.user()))
                .filter(session -> !isCurrent(session, caller))
                .forEach(session -> logins.end(caller, session.id()));
        exchange.send(204);
        access.open().endRevoked();
    }

    private static boolean isCurrent(LoginSession session, Caller caller) {
        return caller.credential().isSession(session.id());
    }
}
