package dev.satchel.server.testing;

import static java.util.Objects.requireNonNull;

import dev.satchel.protocol.Dispatch;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/** The calls that a sandbox makes back to the server of its dispatch. */
public final class SandboxCalls implements AutoCloseable {
    private final HttpClient client = CheckedHttpClient.create();

    public HttpResponse<String> get(Dispatch dispatch, String path, String token)
            throws IOException, InterruptedException {
        return client.send(
                request(dispatch, path).header("Authorization", token).build(),
                BodyHandlers.ofString());
    }

    /** Uploads files with the upload token of a dispatch. */
    public HttpResponse<String> handIn(Dispatch dispatch, MultipartBody files)
            throws IOException, InterruptedException {
        return client.send(
                request(dispatch, "/results")
                        .header("Authorization", requireNonNull(dispatch.otpUpload()))
                        .header("Content-Type", MultipartBody.CONTENT_TYPE)
                        .POST(files.publisher())
                        .build(),
                BodyHandlers.ofString());
    }

    @Override
    public void close() {
        client.close();
    }

    private static HttpRequest.Builder request(Dispatch dispatch, String path) {
        return HttpRequest.newBuilder(URI.create(dispatch.agentUrl() + path));
    }
}
