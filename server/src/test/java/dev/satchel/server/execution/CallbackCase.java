package dev.satchel.server.execution;

import static java.util.Objects.requireNonNull;

import dev.satchel.protocol.Dispatch;
import dev.satchel.server.testing.CheckedHttpClient;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A server, a scripted sandbox, and the callbacks that it makes with its tokens. */
abstract class CallbackCase {
    private final HttpClient sandboxClient = CheckedHttpClient.create();
    ScriptedSandbox sandbox;
    Path data;
    TestServer server;
    String chat;

    @BeforeEach
    void start() throws Exception {
        sandbox = new ScriptedSandbox();
        data = Files.createTempDirectory("satchel-test-");
        server = TestServer.start(data, null, sandbox.url());
        chat = server.newChat();
    }

    @AfterEach
    void stop() {
        sandboxClient.close();
        server.close();
        sandbox.close();
    }

    Events turn(String message) throws Exception {
        return server.turn(Map.of("message", message, "chatId", chat));
    }

    HttpResponse<String> get(Dispatch dispatch, String path, String authorization)
            throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(dispatch.agentUrl() + path));
        if (!authorization.isEmpty()) {
            request.header("Authorization", authorization);
        }
        return sandboxClient.send(request.build(), BodyHandlers.ofString());
    }

    HttpResponse<String> writeBack(Dispatch dispatch, String token, MultipartBody body)
            throws Exception {
        return sandboxClient.send(
                HttpRequest.newBuilder(URI.create(dispatch.agentUrl() + "/results"))
                        .header("Authorization", token)
                        .header("Content-Type", MultipartBody.CONTENT_TYPE)
                        .POST(body.publisher())
                        .build(),
                BodyHandlers.ofString());
    }

    /** A request that may be sent again because its answer was lost. */
    HttpResponse<String> repeatable(Dispatch dispatch, String path, String token, String key)
            throws Exception {
        return sandboxClient.send(
                HttpRequest.newBuilder(URI.create(dispatch.agentUrl() + path))
                        .header("Authorization", token)
                        .header("Idempotency-Key", key)
                        .build(),
                BodyHandlers.ofString());
    }

    HttpResponse<String> repeatableWriteBack(Dispatch dispatch, String key, MultipartBody body)
            throws Exception {
        return sandboxClient.send(
                HttpRequest.newBuilder(URI.create(dispatch.agentUrl() + "/results"))
                        .header("Authorization", upload(dispatch))
                        .header("Idempotency-Key", key)
                        .header("Content-Type", MultipartBody.CONTENT_TYPE)
                        .POST(body.publisher())
                        .build(),
                BodyHandlers.ofString());
    }

    int status(String url) throws Exception {
        return sandboxClient
                .send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.discarding())
                .statusCode();
    }

    List<String> entries(String url) throws Exception {
        byte[] bytes =
                sandboxClient
                        .send(
                                HttpRequest.newBuilder(URI.create(url)).build(),
                                BodyHandlers.ofByteArray())
                        .body();
        List<String> names = new ArrayList<>();
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(bytes))) {
            for (var entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                names.add(entry.getName());
            }
        }
        return names;
    }

    List<String> names() throws Exception {
        return server.getJson("/api/assistant/chats/" + chat + "/files")
                .get("files")
                .valueStream()
                .map(file -> file.get("name").stringValue())
                .toList();
    }

    static String upload(Dispatch dispatch) {
        return requireNonNull(dispatch.otpUpload());
    }
}
