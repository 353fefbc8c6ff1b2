package dev.satchel.server.user;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import dev.satchel.server.access.Scope;
import dev.satchel.server.access.User;
import dev.satchel.server.access.UserStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** {@code GET /api/me}: who the caller is, and what the credential allows. */
final class MeRoutes {
    private final Authentication access;
    private final SignInService people;
    private final UserService users;
    private final Function<Caller, Map<String, Map<String, Long>>> limits;

    MeRoutes(
            Authentication access,
            SignInService people,
            UserService users,
            Function<Caller, Map<String, Map<String, Long>>> limits) {
        this.limits = limits;
        this.access = access;
        this.people = people;
        this.users = users;
    }

    void addTo(Router router) {
        router.get("/api/me", access.requireCaller(Permission.ANY, this::read));
    }

    /** That an owner made a link which signs in as the caller. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record ResetView(long at, String by, @Nullable String name) {
        static ResetView of(UserStore.AccessReset reset) {
            return new ResetView(reset.at().toEpochMilli(), reset.by().value(), reset.byName());
        }
    }

    /** {@code limits} are what the workspace and the person may use; 0 is no limit. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Me(
            String workspaceId,
            String userId,
            String name,
            @Nullable String email,
            String role,
            List<String> scopes,
            Map<String, Map<String, Long>> limits,
            @Nullable ResetView reset) {}

    private void read(Exchange exchange, Caller caller) {
        Optional<User> user = people.find(caller);
        exchange.json(
                200,
                new Me(
                        caller.tenant().value(),
                        caller.user().value(),
                        user.map(User::name).orElse(caller.user().value()),
                        user.map(User::email).orElse(null),
                        caller.role().word(),
                        Scope.words(caller.scopes()),
                        limits.apply(caller),
                        users.findReset(caller).map(ResetView::of).orElse(null)));
    }
}
