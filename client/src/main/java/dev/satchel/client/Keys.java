package dev.satchel.client;

import dev.satchel.client.model.ApiKey;
import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Keys to the API. */
public final class Keys {
    private static final String KEYS = "/api/keys";

    private final HttpCalls calls;

    Keys(HttpCalls calls) {
        this.calls = calls;
    }

    public List<ApiKey> list() throws IOException, InterruptedException {
        return calls.get(KEYS, All.class).keys();
    }

    /** A key with all that the caller may do, which does not expire. */
    public ApiKey create(String name, @Nullable String tenant)
            throws IOException, InterruptedException {
        return create(name, tenant, List.of(), null);
    }

    /**
     * The answer holds the secret, now and never again.
     *
     * @param tenant that of the caller if null; only an operator may name another
     * @param scopes all that the caller has if there are none
     * @param expiresAt null for a key that does not expire
     */
    public ApiKey create(
            String name, @Nullable String tenant, List<String> scopes, @Nullable Instant expiresAt)
            throws IOException, InterruptedException {
        Map<String, Object> body = new HashMap<>(Map.of("name", name));
        if (tenant != null) {
            body.put("workspaceId", tenant);
        }
        if (!scopes.isEmpty()) {
            body.put("scopes", scopes);
        }
        if (expiresAt != null) {
            body.put("expiresAt", expiresAt.toEpochMilli());
        }
        return calls.post(KEYS, body, ApiKey.class);
    }

    /**
     * Ends a key with all that came of it: sessions, tokens, and keys that it has made. Refused if
     * no key were left with which an owner reaches everything.
     */
    public void revoke(String id) throws IOException, InterruptedException {
        calls.delete(path(id));
    }

    /** Keys that it has made go on; to replace a key by one that it has made. */
    public void revokeKeepingMade(String id) throws IOException, InterruptedException {
        calls.delete(path(id) + "?keepMade=true");
    }

    /** Also the last key with which an owner reaches everything. */
    public void revokeAlsoLast(String id) throws IOException, InterruptedException {
        calls.delete(path(id) + "?force=true");
    }

    private static String path(String id) {
        return KEYS + "/" + HttpCalls.encoded(id);
    }

    private record All(List<ApiKey> keys) {}
}
