package dev.satchel.server.application;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.configuration.ConfigurationReader;
import dev.satchel.server.testing.CheckedHttpClient;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A server on a machine where bubblewrap cannot create namespaces. */
@Timeout(60)
class UnavailableSandboxTest {
    private static final String KEY = "a-key-of-the-operator";

    @TempDir private Path temporary;
    private final HttpClient client = CheckedHttpClient.create();
    private Application application;

    @BeforeEach
    void start() throws Exception {
        Path programs = Files.createDirectory(temporary.resolve("bin"));
        Path bubblewrap = programs.resolve("bwrap");
        Files.writeString(bubblewrap, "#!/bin/sh\necho 'No permissions to create namespace'\n");
        for (Path readable : List.of(temporary, programs, bubblewrap)) { // sandboxes have own users
            Files.setPosixFilePermissions(readable, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        Map<String, String> variables =
                Map.of("SATCHEL_PORT", "0", "SATCHEL_API_KEY", KEY, "PATH", programs.toString());
        Map<String, String> flags = Map.of("--data", temporary.resolve("data").toString());
        application =
                new Application(
                        ConfigurationReader.read(flags, List.of(), variables).configuration(),
                        Clock.systemUTC(),
                        Clock.systemUTC());
        application.start();
    }

    @AfterEach
    void stop() {
        application.close();
        client.close();
    }

    @Test
    void aTurnIsRefusedWithWhatToChange() throws Exception {
        HttpResponse<String> turn = post("/api/assistant/chat/stream", "{\"message\":\"hello\"}");

        assertThat(turn.statusCode()).isEqualTo(503);
        JsonNode problem = Json.MAPPER.readTree(turn.body());
        assertThat(problem.get("code").stringValue("")).isEqualTo("sandbox_not_configured");
        assertThat(problem.get("error").stringValue(""))
                .contains("No permissions to create namespace", "SATCHEL_SANDBOX=unsafe")
                .endsWith("SANDBOX_URL");
    }

    @Test
    void everythingElseWorks() throws Exception {
        HttpResponse<String> chat = post("/api/assistant/chats", "{}");
        assertThat(chat.statusCode()).isEqualTo(201);
        String id = Json.MAPPER.readTree(chat.body()).get("id").stringValue("");

        assertThat(get("/api/assistant/chats/" + id).statusCode()).isEqualTo(200);
        assertThat(get("/api/assistant/chats/" + id + "/files").statusCode()).isEqualTo(200);
        assertThat(get("/").statusCode()).isEqualTo(200);
    }

    @Test
    void itIsReadyButDegraded() throws Exception {
        assertThat(get("/readyz").statusCode()).isEqualTo(200);
        assertThat(get("/readyz").body())
                .isEqualTo(
                        """
                        {"status":"degraded","dependencies":\
                        {"database":"up","objectStore":"up","disk":"up",\
                        "runLog":"up","sandbox":"down"}}\
                        """);
        assertThat(get("/health").body()).startsWith("{\"status\":\"degraded\"");
    }

    @Test
    void thePageReceivesTheReason() throws Exception {
        JsonNode settings = Json.MAPPER.readTree(get("/api/settings").body());

        assertThat(settings.get("runner").stringValue("")).isEqualTo("none");
        assertThat(settings.get("runnerProblem").stringValue(""))
                .isEqualTo(application.runnerProblem().orElseThrow());
    }

    private HttpResponse<String> get(String path) throws Exception {
        return client.send(request(path).build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> post(String path, String json) throws Exception {
        HttpRequest.Builder request = request(path).header("Content-Type", "application/json");
        return client.send(
                request.POST(BodyPublishers.ofString(json)).build(), BodyHandlers.ofString());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(application.publicUrl() + path))
                .header("Authorization", "Bearer " + KEY);
    }
}
