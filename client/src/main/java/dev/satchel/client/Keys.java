package dev.satchel.client;

import dev.satchel.client.model.ApiKey;
import java.io.IOException;
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

    /** The answer holds the secret, now and never again; only an operator may name a tenant. */
    public ApiKey create(String name, @Nullable String tenant)
            throws IOException, InterruptedException {
        Map<String, String> body =
                tenant == null ? Map.of("name", name) : Map.of("name", name, "workspaceId", tenant);
        return calls.post(KEYS, body, ApiKey.class);
    }

    public void revoke(String id) throws IOException, InterruptedException {
        calls.delete(KEYS + "/" + HttpCalls.encoded(id));
    }

    private record All(List<ApiKey> keys) {}
}
