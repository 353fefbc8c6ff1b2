package dev.satchel.server.workspace;

import dev.satchel.protocol.Json;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.testing.CheckedHttpClient;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.workspace.files.WorkspaceLimits;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** A server with one session, whose live workspace the test fills by itself. */
public final class SessionFiles implements AutoCloseable {
    private final Path data;
    private final TestServer server;
    private final String session;
    private final HttpClient client = CheckedHttpClient.http11();

    private SessionFiles(Path data, TestServer server, String session) {
        this.data = data;
        this.server = server;
        this.session = session;
    }

    public static SessionFiles start() throws Exception {
        Path data = Files.createTempDirectory("satchel-test-");
        TestServer server = TestServer.start(data, null, null);
        return new SessionFiles(data, server, server.newChat());
    }

    /** With other limits of workspaces. */
    static SessionFiles start(WorkspaceLimits limits) throws Exception {
        Path data = Files.createTempDirectory("satchel-test-");
        Configuration plain = TestServer.configuration(data, null, null);
        TestServer server =
                TestServer.start(
                        TestConfiguration.withWorkspaces(plain, limits), Clock.systemUTC());
        return new SessionFiles(data, server, server.newChat());
    }

    /** With real sandboxes. */
    static SessionFiles startWhole() throws Exception {
        Path data = Files.createTempDirectory("satchel-test-");
        TestServer server = TestServer.startWhole(data);
        return new SessionFiles(data, server, server.newChat());
    }

    public TestServer server() {
        return server;
    }

    public String session() {
        return session;
    }

    public Path workspace() throws IOException {
        return Files.createDirectories(data.resolve("runner/workspaces").resolve(session));
    }

    public Path write(String path, String content) throws IOException {
        Path file = workspace().resolve(path);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, content);
    }

    public String url(String rest) {
        return "/api/sessions/" + session + rest;
    }

    HttpResponse<String> get(String rest) throws IOException, InterruptedException {
        return server.get(url(rest));
    }

    public HttpResponse<byte[]> bytes(String rest, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = server.request(url(rest));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), BodyHandlers.ofByteArray());
    }

    public List<String> paths(String query) throws IOException, InterruptedException {
        return server.getJson(url("/files" + query))
                .get("files")
                .valueStream()
                .map(file -> file.get("path").stringValue())
                .toList();
    }

    JsonNode json(HttpResponse<String> response) {
        return Json.MAPPER.readTree(response.body());
    }

    @Override
    public void close() {
        client.shutdownNow();
        server.close();
    }
}
