package dev.satchel.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.access.MovableClock;
import dev.satchel.server.testing.CheckedHttpClient;
import dev.satchel.server.testing.SandboxCalls;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestServer;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/**
 * Known defects of another server with the same routes, each of which must not occur here. Files of
 * a runner on another machine have tests of their own.
 */
@Timeout(120)
class AgentServerRegressionTest {
    private static final Duration NEVER = Duration.ZERO;

    private final MovableClock clock = new MovableClock();
    private SharedDisk disk;
    private TestServer server;
    private String session;

    @BeforeEach
    void start() throws Exception {
        disk = SharedDisk.start(NEVER, clock);
        server = disk.server();
        session = disk.create();
    }

    @AfterEach
    void stop() {
        disk.close();
    }

    @Test
    void aColdResumeLosesNoFile() throws Exception {
        disk.turn(session, "one.txt", "1");
        disk.post(session, "stop");
        disk.post(session, "resume");
        disk.turn(session, "two.txt", "2");
        disk.end(session);

        assertThat(paths()).containsExactly("one.txt", "two.txt");
    }

    @Test
    void aFifoDoesNotBreakASnapshot() throws Exception {
        disk.turn(session, "keep.txt", "kept");
        shell("mkfifo a-fifo && echo more > more.txt");
        disk.post(session, "stop");

        assertThat(paths()).containsExactly("keep.txt", "more.txt");
    }

    @Test
    void noLinkLeavesTheWorkspace() throws Exception {
        Path secret = Files.writeString(disk.data().resolve("secret.txt"), "not yours");
        shell("ln -s '%s' leak.txt && ln -s '%s' door".formatted(secret, disk.data()));

        assertThat(disk.file(session, "leak.txt").statusCode()).isEqualTo(404);
        assertThat(disk.file(session, "door/secret.txt").statusCode()).isEqualTo(404);
        HttpResponse<String> written =
                server.post(
                        path("/files"),
                        Map.of(
                                "files",
                                List.of(Map.of("path", "door/evil.txt", "content", "ZXZpbA=="))));
        assertThat(written.body()).contains("\"written\":false");
        assertThat(disk.data().resolve("evil.txt")).doesNotExist();
        assertThat(workspaceArchive()).doesNotContain("not yours");
    }

    @Test
    void circularLinksDoNotBlockAListing() throws Exception {
        disk.turn(session, "keep.txt", "kept");
        shell("ln -s . a && ln -s . b && mkdir loop && ln -s .. loop/up");

        assertThat(paths()).containsExactly("keep.txt");
        assertThat(server.get("/livez").statusCode()).isEqualTo(200);
    }

    @Test
    void aForkHasTheFiles() throws Exception {
        disk.turn(session, "deep/a.txt", "shared");
        String child = json(disk.post(session, "fork")).get("session").get("id").stringValue();

        assertThat(disk.file(child, "deep/a.txt").body()).isEqualTo("shared");
    }

    @Test
    void aPausedSessionKeepsItsFilesForAnyTime() throws Exception {
        disk.turn(session, "old.txt", "still here");
        disk.post(session, "stop");
        clock.advance(Duration.ofDays(400));
        for (int i = 0; i < 5; i++) { // other sessions are created and evicted
            disk.turn(disk.create(), "other.txt", "x");
        }

        assertThat(disk.file(session, "old.txt").body()).isEqualTo("still here");
        disk.post(session, "resume");
        assertThat(disk.workspace(session).resolve("old.txt")).hasContent("still here");
        disk.turn(session, "new.txt", "y");
        assertThat(paths()).containsExactly("new.txt", "old.txt");
    }

    @Test
    void textIsPlainTextAndOneBlockIsEnough() throws Exception {
        for (Object content : List.of("hello", List.of(Map.of("type", "text", "text", "hello")))) {
            try (TestServer.Events events = disk.send(session, content)) {
                ScriptedSandbox.RunOnStage run = disk.sandbox().next();
                assertThat(run.dispatch().prompt()).isEqualTo("hello");
                run.answers("ok");
                while (events.line().isPresent()) {}
            }
        }
        for (Object content : List.of(5, "", List.of())) {
            assertThat(server.post(path("/messages"), Map.of("content", content)).statusCode())
                    .isEqualTo(400);
        }
    }

    @Test
    void twoConcurrentMessagesAreNotMixed() throws Exception {
        try (TestServer.Events events = disk.send(session, "first")) {
            ScriptedSandbox.RunOnStage run = disk.sandbox().next();
            assertThat(server.post(path("/messages"), Map.of("content", "second")).statusCode())
                    .isEqualTo(409);
            run.answers("one answer");
            assertThat(lines(events)).filteredOn("event: done"::equals).hasSize(1);
        }
        assertThat(server.getJson(path("/messages")).get("messages")).hasSize(2);
    }

    @Test
    void aDeadSandboxIsReportedAndTheNextMessageGetsANewOne() throws Exception {
        try (TestServer.Events events = disk.send(session, "hello")) {
            disk.sandbox().next().hangsUp();
            assertThat(lines(events)).contains("event: error").contains("event: done");
        }
        disk.turn(session, "alive.txt", "yes");
        assertThat(paths()).containsExactly("alive.txt");
    }

    @Test
    void aTenantCannotRevokeAKeyOfAnother() throws Exception {
        String other = server.keyOf("other");
        JsonNode mine =
                json(server.post("/api/keys", Map.of("name", "mine", "workspaceId", "default")));
        String revoke = "/api/keys/" + mine.get("id").stringValue();

        assertThat(server.sendAs(other, "DELETE", revoke).statusCode()).isEqualTo(404);
        assertThat(
                        server.sendAs(mine.get("key").stringValue(), "GET", "/api/sessions")
                                .statusCode())
                .isEqualTo(200);
    }

    @Test
    void aRefusalNamesItsReason() throws Exception {
        assertThat(server.post("/api/sessions", Map.of()).body())
                .isEqualTo("{\"error\":\"agent is required\",\"statusCode\":400}");
        HttpResponse<String> large =
                server.post(
                        path("/attachments"),
                        Map.of("filename", "a", "content", "A".repeat(15_000_000)));
        assertThat(large.statusCode()).isEqualTo(413);
        assertThat(json(large).get("error").stringValue()).contains("bytes");
    }

    @Test
    void theSettingsOfASessionReachItsRuns() throws Exception {
        String own =
                disk.create(Map.of("systemPrompt", "Only Acme.", "extraEnv", Map.of("A", "b")))
                        .get("id")
                        .stringValue();
        try (TestServer.Events events = disk.send(own, "hello");
                SandboxCalls calls = new SandboxCalls()) {
            ScriptedSandbox.RunOnStage run = disk.sandbox().next();
            assertThat(calls.get(run.dispatch(), "/env", run.dispatch().otpSetup()).body())
                    .contains("\"A\":\"b\"");
            assertThat(calls.get(run.dispatch(), "/config", run.dispatch().otpRun()).body())
                    .contains("Only Acme.")
                    .contains(own);
            run.answers("ok");
            while (events.line().isPresent()) {}
        }
        assertThat(
                        server.post(
                                        "/api/sessions",
                                        Map.of("agent", "qa-bot", "mcpServers", Map.of("a", 1)))
                                .body())
                .contains("mcpServers");
    }

    @Test
    void aDisconnectedClientLosesNoAnswerAndNoFile() throws Exception {
        ScriptedSandbox.RunOnStage run;
        try (TestServer.Events _ = disk.send(session, "work")) {
            run = disk.sandbox().next();
        }
        disk.write(session, "made.txt", "after all");
        run.answers("done");

        while (server.getJson(path("/messages")).get("messages").size() < 2) {
            Thread.onSpinWait();
        }
        while (server.getJson(path("/snapshots")).get("snapshots").isEmpty()) {
            Thread.onSpinWait(); // it may appear after the answer
        }
        disk.post(session, "stop");
        assertThat(paths()).containsExactly("made.txt");
    }

    @Test
    void noKeyIsReturnedToAnUnauthenticatedCaller() throws Exception {
        List<String> paths = new ArrayList<>(List.of("/", "/dashboard/config.js", "/config.js"));
        server.getJson("/openapi.json")
                .get("paths")
                .propertyNames()
                .forEach(path -> paths.add(path.replaceAll("\\{[^}]*}", session)));
        try (HttpClient unauthenticated = CheckedHttpClient.create()) {
            for (String path : paths) {
                HttpRequest request =
                        HttpRequest.newBuilder(server.url(path))
                                .timeout(Duration.ofSeconds(30))
                                .build();
                String body = unauthenticated.send(request, BodyHandlers.ofString()).body();
                assertThat(body).as(path).doesNotContain(TestServer.KEY);
            }
        }
    }

    @Test
    void noLiveDirectoryIsLeftBehind() throws Exception {
        String stopped = disk.create();
        disk.turn(session, "a.txt", "x");
        disk.turn(stopped, "a.txt", "x");
        disk.end(session);
        disk.post(stopped, "stop");
        assertThat(disk.workspace(session)).doesNotExist();
        assertThat(disk.workspace(stopped)).doesNotExist();

        try (SharedDisk idle = SharedDisk.start(Duration.ofMillis(20))) {
            String silent = idle.create(); // it never gets a message
            idle.server()
                    .post(
                            "/api/sessions/" + silent + "/files",
                            Map.of("files", List.of(Map.of("path", "a", "content", ""))));
            while (Files.exists(idle.workspace(silent))) {
                Thread.onSpinWait();
            }
            assertThat(idle.file(silent, "a").statusCode()).isEqualTo(200);
        }
    }

    private void shell(String script) throws Exception {
        Process shell =
                new ProcessBuilder("/bin/sh", "-c", script)
                        .directory(Files.createDirectories(disk.workspace(session)).toFile())
                        .start();
        assertThat(shell.waitFor()).isZero();
    }

    private List<String> paths() throws Exception {
        List<String> paths = new ArrayList<>();
        server.getJson(path("/files"))
                .get("files")
                .forEach(file -> paths.add(file.get("path").stringValue()));
        return paths;
    }

    private String workspaceArchive() throws Exception {
        try (HttpClient client = CheckedHttpClient.create();
                GZIPInputStream unpacked =
                        new GZIPInputStream(
                                client.send(
                                                server.request(path("/workspace")).build(),
                                                BodyHandlers.ofInputStream())
                                        .body())) {
            return new String(unpacked.readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    private static List<String> lines(TestServer.Events events) throws Exception {
        List<String> lines = new ArrayList<>();
        for (var line = events.line(); line.isPresent(); line = events.line()) {
            lines.add(line.get());
        }
        return lines;
    }

    private String path(String rest) {
        return "/api/sessions/" + session + rest;
    }

    private static JsonNode json(HttpResponse<String> response) {
        return Json.MAPPER.readTree(response.body());
    }
}
