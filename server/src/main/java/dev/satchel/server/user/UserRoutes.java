package dev.satchel.server.user;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.satchel.http.Exchange;
import dev.satchel.http.Fields;
import dev.satchel.http.Router;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import dev.satchel.server.access.User;
import dev.satchel.server.access.UserRole;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** {@code /api/users}: the people of a tenant. */
public final class UserRoutes {
    private static final int MAX_NAME = 100;
    private static final String ONE = "/api/users/{id}";

    private final Authentication access;
    private final UserService users;
    private final PasswordChanges passwords;
    private final Supplier<URI> publicUrl;

    UserRoutes(
            Authentication access,
            UserService users,
            PasswordChanges passwords,
            Supplier<URI> publicUrl) {
        this.access = access;
        this.users = users;
        this.passwords = passwords;
        this.publicUrl = publicUrl;
    }

    void addTo(Router router) {
        router.get("/api/users", access.requireCaller(Permission.ADMINISTER, this::list));
        router.post("/api/users", access.requireCaller(Permission.ADMINISTER, this::invite));
        router.get(ONE, access.requireCaller(Permission.ADMINISTER, this::read));
        router.patch(ONE, access.requireCaller(Permission.ADMINISTER, this::change));
        router.delete(ONE, access.requireCaller(Permission.ADMINISTER, this::remove));
        router.post(
                ONE + "/invitation",
                access.requireCaller(Permission.ADMINISTER, this::inviteAgain));
        router.put(
                "/api/me/password",
                access.requireCaller(Permission.MANAGE_OWN_ACCESS, this::setPassword));
    }

    record InvitationRequest(String name, @Nullable String email, String role) {
        InvitationRequest {
            name = Fields.text("name", name, MAX_NAME).strip();
            email = UserService.email(email);
            UserRole _ = UserRoutes.role(role);
        }
    }

    record ChangeRequest(@Nullable String name, @Nullable String email, @Nullable String role) {
        ChangeRequest {
            if (name != null) {
                name = Fields.text("name", name, MAX_NAME).strip();
            }
            email = UserService.email(email);
            if (role != null) {
                UserRole _ = UserRoutes.role(role);
            }
        }
    }

    /** {@code oldPassword} is the one before, if there is one. */
    record PasswordRequest(String password, @Nullable String oldPassword) {
        PasswordRequest {
            Fields.required("password", password);
        }
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record UserView(String id, String name, @Nullable String email, String role, long createdAt) {
        static UserView of(User user) {
            return new UserView(
                    user.id().value(),
                    user.name(),
                    user.email(),
                    user.role().word(),
                    user.createdAt().toEpochMilli());
        }
    }

    record Users(List<UserView> users) {}

    record InvitedView(UserView user, String url, long expiresAt) {}

    private void list(Exchange exchange, Caller caller) {
        exchange.json(200, new Users(users.list(caller).stream().map(UserView::of).toList()));
    }

    private void invite(Exchange exchange, Caller caller) throws IOException {
        InvitationRequest request = exchange.readJson(InvitationRequest.class);
        answer(
                exchange,
                users.invite(caller, request.name(), request.email(), role(request.role())));
    }

    private void inviteAgain(Exchange exchange, Caller caller) {
        boolean isReset = exchange.query("reset").map(Boolean::parseBoolean).orElse(false);
        answer(exchange, users.inviteAgain(caller, exchange.pathParameter("id"), isReset));
    }

    private void answer(Exchange exchange, UserService.Invited invited) {
        exchange.json(
                201,
                new InvitedView(
                        UserView.of(invited.user()),
                        LoginRoutes.address(publicUrl.get(), invited.link()).toString(),
                        invited.link().expiresAt().toEpochMilli()));
    }

    private void read(Exchange exchange, Caller caller) {
        exchange.json(200, UserView.of(users.get(caller, exchange.pathParameter("id"))));
    }

    private void change(Exchange exchange, Caller caller) throws IOException {
        ChangeRequest request = exchange.readJson(ChangeRequest.class);
        String role = request.role();
        UserService.Change change =
                new UserService.Change(
                        request.name(), request.email(), role == null ? null : role(role));
        exchange.json(200, UserView.of(users.change(caller, exchange.pathParameter("id"), change)));
        access.open().endRevoked();
    }

    private void remove(Exchange exchange, Caller caller) {
        users.remove(caller, exchange.pathParameter("id"));
        exchange.send(204);
        access.open().endRevoked();
    }

    private void setPassword(Exchange exchange, Caller caller)
            throws IOException, InterruptedException {
        PasswordRequest request = exchange.readJson(PasswordRequest.class);
        passwords.set(exchange, caller, request.password(), request.oldPassword());
        exchange.send(204);
        access.open().endRevoked();
    }

    private static UserRole role(@Nullable String word) {
        return UserRole.find(Fields.required("role", word))
                .orElseThrow(() -> Fields.invalid("role", "is owner, member or viewer"));
    }
}
