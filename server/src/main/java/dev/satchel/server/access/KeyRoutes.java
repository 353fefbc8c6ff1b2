package dev.satchel.server.access;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.Fields;
import dev.satchel.http.Router;
import dev.satchel.http.SatchelException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** {@code /api/keys}: a tenant creates, lists and revokes its own API keys. */
public final class KeyRoutes {
    private static final int MAX_NAME = 100;

    private final Authentication access;
    private final ApiKeys keys;
    private final Function<Caller, Map<String, Map<String, Long>>> limits;

    /** {@code limits} finds what a caller may use, by names. */
    public KeyRoutes(
            Authentication access,
            ApiKeys keys,
            Function<Caller, Map<String, Map<String, Long>>> limits) {
        this.access = access;
        this.keys = keys;
        this.limits = limits;
    }

    public void addTo(Router router) {
        router.get("/api/me", access.requireCaller(this::me));
        router.get("/api/keys", access.requireCaller(this::list));
        router.post("/api/keys", access.requireCaller(this::create));
        router.delete("/api/keys/{id}", access.requireCaller(this::revoke));
    }

    /** {@code workspaceId} is the owner of the key; only the tenant default may set it. */
    record KeyRequest(String name, @Nullable String workspaceId) {
        KeyRequest {
            Fields.text("name", name, MAX_NAME);
        }
    }

    /** {@code limits} are what the workspace and the user may use; 0 is no limit. */
    record Me(String workspaceId, Map<String, Map<String, Long>> limits) {}

    record KeyView(String id, String name, String workspaceId, long createdAt) {
        static KeyView of(ApiKey key) {
            return new KeyView(
                    key.id(), key.name(), key.tenant().value(), key.createdAt().toEpochMilli());
        }
    }

    record Keys(List<KeyView> keys) {}

    /** The only response with a key. */
    record NewKeyView(String id, String name, String workspaceId, long createdAt, String key) {
        static NewKeyView of(ApiKeys.NewKey created) {
            KeyView view = KeyView.of(created.key());
            return new NewKeyView(
                    view.id(),
                    view.name(),
                    view.workspaceId(),
                    view.createdAt(),
                    created.secret().value());
        }
    }

    private void me(Exchange exchange, Caller caller) {
        exchange.json(200, new Me(caller.tenant().value(), limits.apply(caller)));
    }

    private void list(Exchange exchange, Caller caller) {
        exchange.json(200, new Keys(keys.list(caller.tenant()).stream().map(KeyView::of).toList()));
    }

    private void create(Exchange exchange, Caller caller) throws IOException {
        KeyRequest request = exchange.readJson(KeyRequest.class);
        TenantId owner = owner(caller, request.workspaceId());
        ApiKeys.NewKey created =
                owner.equals(caller.tenant())
                        ? keys.create(owner, caller.user(), request.name())
                        : keys.create(owner, request.name());
        exchange.json(201, NewKeyView.of(created));
    }

    private void revoke(Exchange exchange, Caller caller) {
        keys.revoke(caller.tenant(), exchange.pathParameter("id"));
        exchange.send(204);
    }

    private static TenantId owner(Caller caller, @Nullable String wanted) {
        if (wanted == null || wanted.equals(caller.tenant().value())) {
            return caller.tenant();
        }
        if (!caller.tenant().equals(TenantId.DEFAULT)) {
            throw new SatchelException(
                    ErrorCode.FORBIDDEN,
                    "only the tenant default may create keys for other tenants");
        }
        try {
            return new TenantId(wanted);
        } catch (IllegalArgumentException e) {
            throw Fields.invalid("workspaceId", "is 1 to 64 of A-Z, a-z, 0-9, _ and -");
        }
    }
}
