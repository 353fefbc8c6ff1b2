package dev.satchel.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.configuration.SandboxConfiguration;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Commands in a session's workspace, in real sandboxes. */
class ExecTest {
    private TestServer server;
    private String session;

    @BeforeEach
    void start() throws Exception {
        Path data = Files.createTempDirectory("satchel-test-");
        Configuration usual = TestServer.configuration(data, null, null);
        server =
                TestServer.start(
                        TestConfiguration.withSandbox(
                                usual, new SandboxConfiguration.Embedded(Map.of())),
                        Clock.systemUTC());
        server.post("/api/agents", Map.of("name", "qa-bot", "variables", Map.of("MOOD", "calm")));
        session =
                json(server.post(
                                "/api/sessions",
                                Map.of("agent", "qa-bot", "extraEnv", Map.of("MORE", "yes"))))
                        .get("session")
                        .get("id")
                        .stringValue();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void aCommandReturnsItsOutputItsErrorsAndItsExitCode() throws Exception {
        JsonNode outcome = json(exec("echo out; echo err >&2; exit 3"));

        assertThat(outcome.toString())
                .isEqualTo("{\"exitCode\":3,\"stdout\":\"out\\n\",\"stderr\":\"err\\n\"}");
    }

    @Test
    void theEnvironmentIsThatOfTheAgentAndOfTheSession() throws Exception {
        assertThat(json(exec("echo $MOOD $MORE")).get("stdout").stringValue())
                .isEqualTo("calm yes\n");
    }

    @Test
    void filesOfACommandAreThereForTheNextAndInASnapshot() throws Exception {
        exec("mkdir out && echo made > out/a.txt");

        assertThat(json(exec("cat out/a.txt")).get("stdout").stringValue()).isEqualTo("made\n");
        assertThat(server.get("/api/sessions/" + session + "/files/out/a.txt").body())
                .isEqualTo("made\n");
        assertThat(server.getJson("/api/sessions/" + session + "/snapshots").get("snapshots"))
                .isNotEmpty();
        assertThat(server.getJson("/api/sessions/" + session + "/messages").get("messages"))
                .isEmpty();
    }

    @Test
    void anAttachmentIsInTheWorkspace() throws Exception {
        server.post(
                "/api/sessions/" + session + "/attachments",
                Map.of("filename", "notes.txt", "content", "aGVsbG8="));

        assertThat(json(exec("cat notes.txt")).get("stdout").stringValue()).isEqualTo("hello");
    }

    @Test
    void aCommandThatTakesTooLongIsKilled() throws Exception {
        JsonNode outcome =
                json(
                        server.post(
                                path(),
                                Map.of("command", "echo begun; sleep 600", "timeout", 300)));

        assertThat(outcome.get("exitCode").intValue()).isEqualTo(124);
        assertThat(outcome.get("stdout").stringValue()).isEqualTo("begun\n");
        assertThat(outcome.get("stderr").stringValue()).isEqualTo("killed: out of time\n");
    }

    @Test
    void aTimeoutIsAWholeNumber() throws Exception {
        for (Object timeout : List.of("1000", 1.5, true, 0, 600_001, Long.MAX_VALUE)) {
            assertThat(
                            server.post(path(), Map.of("command", "true", "timeout", timeout))
                                    .statusCode())
                    .as("timeout %s", timeout)
                    .isEqualTo(400);
        }
    }

    @Test
    void nothingElseRunsInTheSessionMeanwhile() throws Exception {
        CompletableFuture<HttpResponse<String>> first =
                CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return exec("touch begun; while [ ! -e go ]; do sleep 0.01; done");
                            } catch (Exception e) {
                                throw new AssertionError(e);
                            }
                        });
        while (server.get("/api/sessions/" + session + "/files/begun").statusCode() != 200) {
            Thread.onSpinWait();
        }

        assertThat(exec("true").statusCode()).isEqualTo(409);
        HttpResponse<String> message =
                server.post("/api/sessions/" + session + "/messages", Map.of("content", "hello"));
        assertThat(message.statusCode()).isEqualTo(409);
        assertThat(
                        server.post(
                                        "/api/sessions/" + session + "/files",
                                        Map.of("files", java.util.List.of()))
                                .statusCode())
                .isEqualTo(400);

        server.post("/api/sessions/" + session + "/stop", Map.of());
        assertThat(first.get().statusCode()).isEqualTo(500);
        assertThat(first.get().body()).startsWith("{\"error\":\"Exec failed: ");
        assertThat(exec("true").body())
                .isEqualTo("{\"error\":\"Session is stopped\",\"statusCode\":400}");
    }

    @Test
    void anInvalidCommandIsRefused() throws Exception {
        assertThat(server.post(path(), Map.of()).statusCode()).isEqualTo(400);
        assertThat(server.post(path(), Map.of("command", "ls", "timeout", 0)).statusCode())
                .isEqualTo(400);
        HttpResponse<String> foreign =
                server.send(
                        server.request(path())
                                .setHeader("Authorization", "Bearer " + server.keyOf("other"))
                                .POST(BodyPublishers.ofString("{\"command\":\"ls\"}"))
                                .build());
        assertThat(foreign.body())
                .isEqualTo("{\"error\":\"Session not found\",\"statusCode\":404}");
    }

    private HttpResponse<String> exec(String command) throws Exception {
        return server.post(path(), Map.of("command", command));
    }

    private String path() {
        return "/api/sessions/" + session + "/exec";
    }

    private static JsonNode json(HttpResponse<String> response) {
        return Json.MAPPER.readTree(response.body());
    }
}
