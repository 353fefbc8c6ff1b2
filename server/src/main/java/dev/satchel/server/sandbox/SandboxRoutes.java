package dev.satchel.server.sandbox;

import dev.satchel.http.BearerToken;
import dev.satchel.http.ErrorCode;
import dev.satchel.http.HttpClients;
import dev.satchel.http.Router;
import dev.satchel.http.SatchelException;
import dev.satchel.protocol.Json;
import dev.satchel.protocol.SandboxContents;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Permission;
import dev.satchel.server.conversation.RunId;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /api/sandbox}: what a sandbox has in which nothing was installed. The first request
 * asks a runner, and the answer is kept until the server ends.
 */
public final class SandboxRoutes {
    private static final Duration TIMEOUT = Duration.ofSeconds(90);

    private final Optional<SandboxProvider> sandboxes;
    private final Authentication access;
    private final ReentrantLock asking = new ReentrantLock();
    private @Nullable SandboxContents known; // guarded by asking

    public SandboxRoutes(Optional<SandboxProvider> sandboxes, Authentication access) {
        this.sandboxes = sandboxes;
        this.access = access;
    }

    public void addTo(Router router) {
        router.get(
                "/api/sandbox",
                access.requireCaller(
                        Permission.ANY, (exchange, _) -> exchange.json(200, contents())));
    }

    private SandboxContents contents() throws IOException, InterruptedException {
        asking.lockInterruptibly();
        try {
            if (known == null) {
                known = ask();
            }
            return known;
        } finally {
            asking.unlock();
        }
    }

    private SandboxContents ask() throws IOException, InterruptedException {
        SandboxProvider provider =
                sandboxes.orElseThrow(
                        () ->
                                new SatchelException(
                                        ErrorCode.SANDBOX_NOT_CONFIGURED,
                                        "this server has no sandboxes"));
        Optional<String> unavailable = provider.unavailable();
        if (unavailable.isPresent()) {
            throw new SatchelException(ErrorCode.SANDBOX_NOT_CONFIGURED, unavailable.get());
        }
        try (RunningSandbox sandbox = provider.launch(new SandboxRequest(RunId.random(), null));
                HttpClient client = HttpClients.builder().connectTimeout(TIMEOUT).build()) {
            HttpResponse<byte[]> response =
                    client.send(request(sandbox), BodyHandlers.ofByteArray());
            if (response.statusCode() != 200) {
                throw new SatchelException(
                        ErrorCode.NOT_FOUND, "the runner does not say what its sandboxes have");
            }
            return Json.MAPPER.readValue(response.body(), SandboxContents.class);
        } catch (IOException e) {
            throw new SatchelException(
                    ErrorCode.UNAVAILABLE, "the runner did not answer: " + e.getMessage());
        }
    }

    private static HttpRequest request(RunningSandbox sandbox) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(
                                URI.create(
                                        sandbox.url().toString().replaceAll("/+$", "")
                                                + "/sandbox"))
                        .timeout(TIMEOUT);
        String secret = sandbox.secret();
        if (secret != null) {
            request.header("Authorization", BearerToken.header(secret));
        }
        return request.GET().build();
    }
}
