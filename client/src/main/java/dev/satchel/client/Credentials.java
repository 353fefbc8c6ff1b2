package dev.satchel.client;

import dev.satchel.client.model.Credential;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Secrets that agents use at other services. They can be replaced, but not read. */
public final class Credentials {
    private static final String CREDENTIALS = "/api/credentials";

    private final HttpCalls calls;

    Credentials(HttpCalls calls) {
        this.calls = calls;
    }

    public List<Credential> list() throws IOException, InterruptedException {
        return calls.get(CREDENTIALS, All.class).credentials();
    }

    public Optional<Credential> find(String name) throws IOException, InterruptedException {
        return list().stream().filter(credential -> credential.name().equals(name)).findFirst();
    }

    public Credential create(String name, String value) throws IOException, InterruptedException {
        return calls.post(CREDENTIALS, Map.of("name", name, "value", value), Credential.class);
    }

    /** For the service of a resource, such as an MCP server; a person has to log in then. */
    public Credential createLogin(String name, String resource)
            throws IOException, InterruptedException {
        return calls.post(
                CREDENTIALS,
                Map.of("name", name, "oauth", Map.of("resource", resource)),
                Credential.class);
    }

    /** Runs use the new value from their next request on. */
    public Credential replace(String name, String value) throws IOException, InterruptedException {
        return calls.send("PUT", path(name), Map.of("value", value), Credential.class);
    }

    /** The address at which a person logs in. The service returns to the page of the server. */
    public String beginLogin(String name) throws IOException, InterruptedException {
        return begin(name, Map.of());
    }

    /** As {@link #beginLogin(String)}, but the service returns to a program on this computer. */
    public String beginLogin(String name, String redirectUri)
            throws IOException, InterruptedException {
        return begin(name, Map.of("redirectUri", redirectUri));
    }

    private String begin(String name, Map<String, String> request)
            throws IOException, InterruptedException {
        return calls.post(path(name) + "/authorization", request, Begun.class).authorizationUrl();
    }

    /** With what the service has sent back. A login can be finished once. */
    public Credential finishLogin(String state, String code)
            throws IOException, InterruptedException {
        return calls.post(
                CREDENTIALS + "/authorizations",
                Map.of("state", state, "code", code),
                Credential.class);
    }

    public void delete(String name) throws IOException, InterruptedException {
        calls.delete(path(name));
    }

    private record All(List<Credential> credentials) {}

    private record Begun(String authorizationUrl) {}

    private static String path(String name) {
        return CREDENTIALS + "/" + HttpCalls.encoded(name);
    }
}
