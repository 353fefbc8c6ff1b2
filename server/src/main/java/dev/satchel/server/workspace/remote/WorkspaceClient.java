package dev.satchel.server.workspace.remote;

import dev.satchel.filesystem.FileStat;
import dev.satchel.filesystem.IrregularFileException;
import dev.satchel.filesystem.UnsafePathException;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.http.BearerToken;
import dev.satchel.http.HttpClients;
import dev.satchel.runner.workspace.PathRefusal;
import dev.satchel.runner.workspace.WorkspaceRoutes;
import dev.satchel.server.conversation.ConversationId;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.time.Duration;

/** Calls the workspace routes of a runner or of another server. */
public final class WorkspaceClient {
    private static final Duration CONNECT = Duration.ofSeconds(2);
    private static final Duration ANSWER = Duration.ofSeconds(10);
    private static final Duration LONG_ANSWER = Duration.ofMinutes(5);

    private final String base;
    private final String secret;
    private final HttpClient client;

    /** {@code base} is where the routes begin; an empty secret is none. */
    WorkspaceClient(URI base, String secret, HttpClient client) {
        this.base = base.toString().replaceAll("/+$", "");
        this.secret = secret;
        this.client = client;
    }

    public static HttpClient newHttpClient() {
        return HttpClients.builder()
                .connectTimeout(CONNECT)
                .executor(command -> Thread.ofVirtual().name("workspace-io").start(command))
                .build();
    }

    /** A request for all of them. */
    HttpRequest.Builder all() {
        return to("");
    }

    /** A request for a workspace as a whole. */
    HttpRequest.Builder of(ConversationId id, String query) {
        return to("/" + id.value() + query);
    }

    private HttpRequest.Builder to(String rest) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(base + rest)).timeout(ANSWER);
        return secret.isEmpty()
                ? request
                : request.header("Authorization", BearerToken.header(secret));
    }

    /** A request for one path in a workspace. */
    HttpRequest.Builder of(ConversationId id, String what, WorkspacePath path) {
        return of(id, "/" + what + "?path=" + encoded(path));
    }

    static String encoded(WorkspacePath path) {
        return encoded(path.value());
    }

    static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** For bodies that take their time. */
    static HttpRequest.Builder patient(HttpRequest.Builder request) {
        return request.timeout(LONG_ANSWER);
    }

    static HttpRequest with(HttpRequest.Builder request, String method) {
        return request.method(method, BodyPublishers.noBody()).build();
    }

    static HttpRequest with(HttpRequest.Builder request, String method, BodyPublisher body) {
        return request.method(method, body).build();
    }

    /** What a runner says of itself, whatever that is. */
    InputStream health() throws IOException {
        return send(HttpRequest.newBuilder(URI.create(base + "/health")).timeout(ANSWER).build())
                .body();
    }

    /** Whatever the answer is; the caller closes its body. */
    HttpResponse<InputStream> send(HttpRequest request) throws IOException {
        try {
            return client.send(request, BodyHandlers.ofInputStream());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while asking for a workspace");
        }
    }

    /** A good answer's body, which the caller closes; a refusal is the exception it stands for. */
    HttpResponse<InputStream> ask(HttpRequest request, WorkspacePath path) throws IOException {
        HttpResponse<InputStream> response = send(request);
        if (response.statusCode() / 100 == 2) {
            return response;
        }
        response.body().close();
        throw failure(response, path);
    }

    /** For what is done or not done. */
    void tell(HttpRequest request, WorkspacePath path) throws IOException {
        ask(request, path).body().close();
    }

    private static IOException failure(HttpResponse<?> response, WorkspacePath path) {
        String[] refusal =
                response.headers().firstValue(WorkspaceRoutes.REFUSAL).orElse("").split(" ", 2);
        if (refusal[0].equals(PathRefusal.IRREGULAR.name())) {
            return new IrregularFileException(path, FileStat.Kind.valueOf(refusal[1]));
        }
        if (refusal[0].equals(PathRefusal.UNSAFE.name())) {
            return new UnsafePathException(path);
        }
        return response.statusCode() == 404
                ? new NoSuchFileException(path.value())
                : new IOException("a workspace's host answered " + response.statusCode());
    }
}
