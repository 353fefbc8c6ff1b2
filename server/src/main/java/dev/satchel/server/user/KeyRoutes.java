package dev.satchel.server.user;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.Fields;
import dev.satchel.http.Router;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.ApiKey;
import dev.satchel.server.access.ApiKeys;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import dev.satchel.server.access.Scope;
import dev.satchel.server.access.TenantId;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@code /api/keys}: people create, list and revoke their API keys, and owners those of all. */
final class KeyRoutes {
    private static final int MAX_NAME = 100;

    private final Authentication access;
    private final KeyService keys;

    KeyRoutes(Authentication access, KeyService keys) {
        this.access = access;
        this.keys = keys;
    }

    void addTo(Router router) {
        router.get("/api/keys", access.requireCaller(Permission.MANAGE_OWN_ACCESS, this::list));
        router.post("/api/keys", access.requireCaller(Permission.MANAGE_OWN_ACCESS, this::create));
        router.delete(
                "/api/keys/{id}", access.requireCaller(Permission.MANAGE_OWN_ACCESS, this::revoke));
    }

    /** {@code workspaceId} is the tenant of the key; only the operator may name another. */
    record KeyRequest(
            String name,
            @Nullable String workspaceId,
            @Nullable List<String> scopes,
            @Nullable Long expiresAt) {
        KeyRequest {
            Fields.text("name", name, MAX_NAME);
        }
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record KeyView(
            String id,
            String name,
            String workspaceId,
            String userId,
            List<String> scopes,
            long createdAt,
            @Nullable Long expiresAt,
            @Nullable Long lastUsedAt) {
        static KeyView of(ApiKey key) {
            return new KeyView(
                    key.id(),
                    key.name(),
                    key.tenant().value(),
                    key.user().value(),
                    Scope.words(key.scopes()),
                    key.createdAt().toEpochMilli(),
                    millis(key.expiresAt()),
                    millis(key.lastUsedAt()));
        }

        private static @Nullable Long millis(@Nullable Instant time) {
            return time == null ? null : time.toEpochMilli();
        }
    }

    record Keys(List<KeyView> keys) {}

    /** The only response with a key. */
    record NewKeyView(@JsonUnwrapped KeyView view, String key) {}

    private void list(Exchange exchange, Caller caller) {
        exchange.json(200, new Keys(keys.list(caller).stream().map(KeyView::of).toList()));
    }

    private void create(Exchange exchange, Caller caller) throws IOException {
        KeyRequest request = exchange.readJson(KeyRequest.class);
        ApiKeys.KeySettings settings =
                new ApiKeys.KeySettings(
                        request.name(), scopes(caller, request.scopes()), expiry(request));
        ApiKeys.NewKey created =
                keys.create(caller, tenant(caller, request.workspaceId()), settings);
        exchange.json(201, new NewKeyView(KeyView.of(created.key()), created.secret().value()));
    }

    private void revoke(Exchange exchange, Caller caller) {
        ApiKeys.Revocation how =
                new ApiKeys.Revocation(isSet(exchange, "force"), isSet(exchange, "keepMade"));
        keys.revoke(caller, exchange.pathParameter("id"), how);
        exchange.send(204);
        access.open().endRevoked();
    }

    private static boolean isSet(Exchange exchange, String name) {
        return exchange.query(name).map(Boolean::parseBoolean).orElse(false);
    }

    /** A key has no scope that the caller lacks; all of the caller's unless it names some. */
    private static Set<Scope> scopes(Caller caller, @Nullable List<String> wanted) {
        if (wanted == null) {
            return caller.scopes();
        }
        Set<Scope> scopes = wanted.stream().map(KeyRoutes::scope).collect(Collectors.toSet());
        if (scopes.isEmpty()) {
            throw Fields.invalid("scopes", "must not be empty");
        }
        if (!caller.scopes().containsAll(scopes)) {
            throw new SatchelException(
                    ErrorCode.FORBIDDEN, "a key cannot have a scope that your own key lacks");
        }
        return scopes;
    }

    private static Scope scope(String word) {
        return Scope.find(word)
                .orElseThrow(
                        () -> Fields.invalid("scopes", "are admin, agents, chat, files and read"));
    }

    private @Nullable Instant expiry(KeyRequest request) {
        Long expires = request.expiresAt();
        if (expires == null) {
            return null;
        }
        Instant time = Instant.ofEpochMilli(expires);
        if (!time.isAfter(keys.now())) {
            throw Fields.invalid("expiresAt", "is not in the future");
        }
        return time;
    }

    private static TenantId tenant(Caller caller, @Nullable String wanted) {
        if (wanted == null || wanted.equals(caller.tenant().value())) {
            return caller.tenant();
        }
        if (!caller.isOperator()) {
            throw new SatchelException(
                    ErrorCode.FORBIDDEN,
                    "only owners of the tenant default may create keys for other tenants");
        }
        if (!TenantId.isValid(wanted)) {
            throw Fields.invalid("workspaceId", "is 1 to 64 of A-Z, a-z, 0-9, _ and -");
        }
        return new TenantId(wanted);
    }
}
