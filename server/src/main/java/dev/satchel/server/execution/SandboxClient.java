package dev.satchel.server.execution;

import dev.satchel.http.BearerToken;
import dev.satchel.http.HttpClients;
import dev.satchel.http.tracing.TraceContext;
import dev.satchel.protocol.Dispatch;
import dev.satchel.protocol.Json;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.run.Run;
import dev.satchel.server.sandbox.RunningSandbox;
import dev.satchel.server.sandbox.SandboxProvider;
import dev.satchel.server.sandbox.SandboxRequest;
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
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Launches sandboxes and dispatches runs to their {@code POST /stream}. A dispatch is repeated only
 * when the runner is full; otherwise it may be running already.
 */
public final class SandboxClient implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SandboxClient.class);
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final Pattern SECONDS = Pattern.compile("[1-9][0-9]{0,3}");

    /** How long a run waits for a full runner. */
    private static final Duration BUSY_TIMEOUT = Duration.ofMinutes(2);

    private static final Duration MAX_PAUSE = Duration.ofSeconds(5);

    private final SandboxProvider sandboxes;
    private final HttpClient client;

    public SandboxClient(SandboxProvider sandboxes) {
        this.sandboxes = sandboxes;
        this.client =
                HttpClients.builder()
                        .connectTimeout(CONNECT_TIMEOUT)
                        .executor(command -> Thread.ofVirtual().name("sandbox-io").start(command))
                        .build();
    }

    /** Why no sandbox can be launched; empty when one can. */
    Optional<String> unavailable() {
        return sandboxes.unavailable();
    }

    /** A sandbox for the run; the caller closes it when the run has ended. */
    RunningSandbox launch(Run run) throws IOException, InterruptedException {
        return sandboxes.launch(new SandboxRequest(run.id(), run.conversation()));
    }

    /** The lines of the run. Closing the stream closes the connection, which ends the sandbox. */
    InputStream stream(RunningSandbox sandbox, Dispatch dispatch, Optional<String> traceparent)
            throws IOException, InterruptedException, SandboxRefusedException {
        long deadline = System.nanoTime() + BUSY_TIMEOUT.toNanos();
        while (true) {
            try {
                return post(sandbox, dispatch, traceparent);
            } catch (SandboxRefusedException e) {
                Duration pause = e.roomAfter().orElseThrow(() -> e);
                if (System.nanoTime() > deadline) {
                    throw e;
                }
                Thread.sleep(pause.compareTo(MAX_PAUSE) < 0 ? pause : MAX_PAUSE);
            }
        }
    }

    private InputStream post(
            RunningSandbox sandbox, Dispatch dispatch, Optional<String> traceparent)
            throws IOException, InterruptedException, SandboxRefusedException {
        URI stream = URI.create(sandbox.url().toString().replaceAll("/+$", "") + "/stream");
        HttpRequest.Builder request =
                HttpRequest.newBuilder(stream)
                        .header("Content-Type", "application/json")
                        .header("Accept", "application/x-ndjson")
                        .POST(BodyPublishers.ofByteArray(Json.MAPPER.writeValueAsBytes(dispatch)));
        if (sandbox.secret() != null) {
            request.header("Authorization", BearerToken.header(sandbox.secret()));
        }
        traceparent.ifPresent(it -> request.header(TraceContext.HEADER, it));
        HttpResponse<InputStream> response =
                client.send(request.build(), BodyHandlers.ofInputStream());
        if (response.statusCode() / 100 != 2) {
            response.body().close();
            throw new SandboxRefusedException(response.statusCode(), retryAfter(response));
        }
        return response.body();
    }

    private static @Nullable Duration retryAfter(HttpResponse<?> response) {
        return response.headers()
                .firstValue("Retry-After")
                .filter(value -> SECONDS.matcher(value).matches())
                .map(value -> Duration.ofSeconds(Long.parseLong(value)))
                .orElse(null);
    }

    /** Removes the sandboxes of runs that are over. */
    void reap(Predicate<RunId> alive) {
        try {
            sandboxes.reap(alive);
        } catch (IOException e) {
            LOG.warn("listing lost sandboxes failed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
        sandboxes.close();
    }
}
