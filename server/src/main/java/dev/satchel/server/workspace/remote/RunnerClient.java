package dev.satchel.server.workspace.remote;

import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.filesystem.workspace.PathRefusal;
import dev.satchel.http.BearerToken;
import dev.satchel.protocol.Json;
import dev.satchel.server.conversation.ConversationId;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;

/** Calls the workspace routes of a runner on another machine. */
final class RunnerClient {
    private static final Duration RESPONSE_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration TRANSFER_TIMEOUT = Duration.ofMinutes(5);
    private static final int NOT_FOUND = 404;

    private final String runner;
    private final String secret;
    private final HttpClient client;

    /** An empty secret is not sent. */
    RunnerClient(URI runner, String secret, HttpClient client) {
        this.runner = runner.toString().replaceAll("/+$", "");
        this.secret = secret;
        this.client = client;
    }

    /** What the runner reports about itself, which may be anything; the caller closes it. */
    InputStream health() throws IOException {
        return send(request("/health", RESPONSE_TIMEOUT).GET().build()).body();
    }

    /** The ids of all workspaces, as JSON; the caller closes it. */
    InputStream ids() throws IOException {
        return require(request("/workspaces", RESPONSE_TIMEOUT).GET().build(), WorkspacePath.ROOT)
                .body();
    }

    boolean exists(ConversationId id) throws IOException {
        HttpResponse<InputStream> response =
                send(request(of(id) + "?path=.", RESPONSE_TIMEOUT).GET().build());
        response.body().close();
        int status = response.statusCode();
        if (status == NOT_FOUND) {
            return false;
        }
        if (status / 100 != 2) {
            throw unexpected(status);
        }
        return true;
    }

    /** All entries; the caller closes the stream. */
    InputStream entries(ConversationId id) throws IOException {
        return require(request(of(id), RESPONSE_TIMEOUT).GET().build(), WorkspacePath.ROOT).body();
    }

    /** One entry; the file that a link leads to if {@code follow}. The caller closes the stream. */
    InputStream entry(ConversationId id, WorkspacePath path, boolean follow) throws IOException {
        String query = "?path=" + encoded(path.value()) + (follow ? "&follow=true" : "");
        return require(request(of(id) + query, RESPONSE_TIMEOUT).GET().build(), path).body();
    }

    /** A range of one file; the caller closes the stream. */
    InputStream read(ConversationId id, WorkspacePath path, long offset, long length)
            throws IOException {
        String target = of(id) + "/file?path=" + encoded(path.value());
        String range = "bytes=" + offset + "-" + (offset + length - 1);
        return require(request(target, RESPONSE_TIMEOUT).header("Range", range).GET().build(), path)
                .body();
    }

    /** The named files; the root stands for all entries. The caller closes the stream. */
    InputStream files(ConversationId id, List<WorkspacePath> files) throws IOException {
        byte[] names =
                Json.MAPPER.writeValueAsBytes(files.stream().map(WorkspacePath::value).toList());
        HttpRequest request =
                request(of(id) + "/files", TRANSFER_TIMEOUT)
                        .POST(BodyPublishers.ofByteArray(names))
                        .build();
        return require(request, WorkspacePath.ROOT).body();
    }

    /** Creates a workspace from a stream of all entries. */
    void install(ConversationId id, FileChannel stream) throws IOException {
        HttpRequest request = request(of(id), TRANSFER_TIMEOUT).PUT(body(stream)).build();
        require(request, WorkspacePath.ROOT).body().close();
    }

    /** Makes one change; {@code parameters} are further parameters of the query. */
    void change(ConversationId id, String change, WorkspacePath path, String parameters)
            throws IOException {
        change(id, change, path, parameters, BodyPublishers.noBody());
    }

    void write(ConversationId id, WorkspacePath path, FileChannel content) throws IOException {
        change(id, "write", path, "", body(content));
    }

    void remove(ConversationId id) throws IOException {
        HttpRequest request = request(of(id), TRANSFER_TIMEOUT).DELETE().build();
        require(request, WorkspacePath.ROOT).body().close();
    }

    static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** A temporary file without a name; it is deleted when it is closed. */
    static FileChannel temporaryFile() throws IOException {
        Path path = Files.createTempFile("satchel-spool-", null);
        try {
            return FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
        } finally {
            Files.delete(path);
        }
    }

    private void change(
            ConversationId id,
            String change,
            WorkspacePath path,
            String parameters,
            BodyPublisher body)
            throws IOException {
        String query = "?change=" + change + "&path=" + encoded(path.value()) + parameters;
        HttpRequest request =
                request(of(id) + query, TRANSFER_TIMEOUT).method("PATCH", body).build();
        require(request, path).body().close();
    }

    private static String of(ConversationId id) {
        return "/workspaces/" + id.value();
    }

    private HttpRequest.Builder request(String target, Duration timeout) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(runner + target)).timeout(timeout);
        return secret.isEmpty()
                ? request
                : request.header("Authorization", BearerToken.header(secret));
    }

    private static BodyPublisher body(FileChannel content) {
        return BodyPublishers.ofInputStream(
                () -> {
                    try {
                        return Channels.newInputStream(content.position(0));
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
    }

    /** Returns a successful response; the caller closes its body. */
    private HttpResponse<InputStream> require(HttpRequest request, WorkspacePath path)
            throws IOException {
        HttpResponse<InputStream> response = send(request);
        if (response.statusCode() / 100 == 2) {
            return response;
        }
        response.body().close();
        String refusal = response.headers().firstValue(PathRefusal.HEADER).orElse("");
        if (!refusal.isEmpty()) {
            throw PathRefusal.exception(refusal, path);
        }
        throw response.statusCode() == NOT_FOUND
                ? new NoSuchFileException(path.value())
                : unexpected(response.statusCode());
    }

    private HttpResponse<InputStream> send(HttpRequest request) throws IOException {
        try {
            return client.send(request, BodyHandlers.ofInputStream());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for a runner");
        }
    }

    private static IOException unexpected(int status) {
        return new IOException("the runner answered a workspace request with status " + status);
    }
}
