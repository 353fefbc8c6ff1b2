package dev.satchel.server.execution;

import dev.satchel.protocol.Dispatch;
import dev.satchel.protocol.Json;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;

/**
 * Dispatches runs to {@code POST {SANDBOX_URL}/stream}. A dispatch is never retried: it may be
 * running already.
 */
public final class SandboxClient implements AutoCloseable {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    private final URI stream;
    private final Optional<String> secret;
    private final HttpClient client;

    public SandboxClient(URI sandboxUrl, Optional<String> secret) {
        this.stream = URI.create(sandboxUrl.toString().replaceAll("/+$", "") + "/stream");
        this.secret = secret;
        this.client =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(CONNECT_TIMEOUT)
                        .executor(command -> Thread.ofVirtual().name("sandbox-io").start(command))
                        .build();
    }

    /** The lines of the run. Closing the stream closes the connection, which ends the sandbox. */
    InputStream stream(Dispatch dispatch) throws IOException, InterruptedException, SandboxRefusal {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(stream)
                        .header("Content-Type", "application/json")
                        .header("Accept", "application/x-ndjson")
                        .POST(BodyPublishers.ofByteArray(Json.MAPPER.writeValueAsBytes(dispatch)));
        secret.ifPresent(value -> request.header("Authorization", "Bearer " + value));
        HttpResponse<InputStream> response =
                client.send(request.build(), BodyHandlers.ofInputStream());
        if (response.statusCode() / 100 != 2) {
            response.body().close();
            throw new SandboxRefusal(response.statusCode());
        }
        return response.body();
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
