package dev.satchel.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.runner.RunnerConfiguration;
import dev.satchel.runner.RunnerServer;
import dev.satchel.runner.sandbox.setup.SandboxSetup;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.testing.CheckedHttpClient;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import dev.satchel.server.testing.TestServer.Events.Event;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A runner on another machine: the server reaches its workspaces over HTTP only. */
@Timeout(120)
class RemoteRunnerTest {
    private static final String TOKEN = "shared-secret";

    @TempDir private Path temporary;
    private RunnerServer runner;
    private TestServer server;

    @BeforeEach
    void start() throws Exception {
        runner = runner("first");
        server = server(runner);
    }

    @AfterEach
    void stop() {
        server.close();
        runner.close();
    }

    @Test
    void aWorkspaceIsReadLiveAndFromASnapshotAfterTheRunnerIsReplaced() throws Exception {
        String chat = server.newChat();
        turn(
                server,
                chat,
                "/sh mkdir d && printf 0123456789 > d/a.txt && ln -s d/a.txt link && chmod 750 d");
        JsonNode live = server.getJson(files(chat));
        assertThat(live.get("source").stringValue()).isEqualTo("sandbox");
        assertThat(server.getJson("/api/sessions/" + chat + "/snapshots").get("snapshots"))
                .hasSize(1);
        server.close();

        try (RunnerServer empty = runner("second");
                TestServer next = server(empty)) {
            assertThat(next.getJson(files(chat)).get("source").stringValue()).isEqualTo("snapshot");
            assertThat(next.get(files(chat) + "/link").body()).isEqualTo("0123456789");

            String message =
                    message(
                            turn(
                                    next,
                                    chat,
                                    "/sh cat link && stat -c %a d && echo more >> d/a.txt"));
            assertThat(message).contains("0123456789").contains("750");
            assertThat(next.getJson(files(chat)).get("source").stringValue()).isEqualTo("sandbox");
            assertThat(next.get(files(chat) + "/d/a.txt").body()).isEqualTo("0123456789more\n");
        }
    }

    @Test
    void filesAreChangedOnTheRunner() throws Exception {
        String chat = server.newChat();
        turn(server, chat, "/sh echo x > old.txt");
        String content =
                Base64.getEncoder().encodeToString("fresh".getBytes(StandardCharsets.UTF_8));

        server.post(
                files(chat),
                Map.of("files", List.of(Map.of("path", "new/n.txt", "content", content))));
        server.sendAs(TestServer.KEY, "DELETE", files(chat) + "/old.txt");

        assertThat(disk("first", chat).resolve("new/n.txt")).hasContent("fresh");
        assertThat(disk("first", chat).resolve("old.txt")).doesNotExist();
    }

    @Test
    void bagFilesAreCopiedToTheRunnerOnce() throws Exception {
        String chat = server.newChat();
        server.upload(chat, "main.py", "old");
        turn(server, chat, "/sh cat main.py && echo edited > main.py");
        JsonNode late = server.upload(chat, "late.txt", "late");

        String message = message(turn(server, chat, "/sh cat main.py late.txt && ls"));

        assertThat(message).contains("edited").contains("late").doesNotContain("main-1.py");
        server.sendAs(
                TestServer.KEY,
                "DELETE",
                "/api/assistant/chats/" + chat + "/files/" + late.get("id").stringValue());
        assertThat(disk("first", chat).resolve("late.txt")).doesNotExist();
        assertThat(disk("first", chat).resolve("main.py")).hasContent("edited\n");
    }

    @Test
    void deletingAConversationDeletesTheFilesOnTheRunner() throws Exception {
        String chat = server.newChat();
        turn(server, chat, "/sh echo x > x.txt");
        assertThat(disk("first", chat)).exists();

        server.sendAs(TestServer.KEY, "DELETE", "/agent-server/api/sessions/" + chat);

        assertThat(disk("first", chat)).doesNotExist();
    }

    @Test
    void anIdleWorkspaceIsEvictedFromTheRunnerAndRestored() throws Exception {
        String chat = server.newChat();
        turn(server, chat, "/sh mkdir d && echo kept > d/a.txt");
        server.close();

        try (TestServer evicting = server(runner, Duration.ofMillis(20))) {
            while (Files.exists(disk("first", chat))) {
                Thread.onSpinWait(); // bounded by the class's timeout
            }
            assertThat(evicting.getJson(files(chat)).get("source").stringValue())
                    .isEqualTo("snapshot");
        }
        try (TestServer next = server(runner)) {
            assertThat(message(turn(next, chat, "/sh cat d/a.txt"))).contains("kept");
            assertThat(disk("first", chat).resolve("d/a.txt")).hasContent("kept");
        }
    }

    @Test
    void theRoutesOfTheRunnerRequireTheToken() throws Exception {
        String chat = server.newChat();
        turn(server, chat, "/sh echo x > x.txt");
        URI inside = URI.create("http://127.0.0.1:" + runner.port() + "/workspaces/" + chat);

        HttpRequest request = HttpRequest.newBuilder(inside).build();
        try (HttpClient client = CheckedHttpClient.create()) {
            assertThat(client.send(request, BodyHandlers.discarding()).statusCode()).isEqualTo(401);
        }
    }

    private Path disk(String runnersName, String chat) {
        return temporary.resolve(runnersName).resolve("workspaces").resolve(chat);
    }

    private RunnerServer runner(String name) throws Exception {
        Map<String, String> environment = Map.of("PATH", System.getenv("PATH"));
        RunnerServer made =
                new RunnerServer(
                        RunnerConfiguration.embedded(environment, temporary.resolve(name), TOKEN),
                        SandboxSetup.detect(environment));
        made.start();
        return made;
    }

    private TestServer server(RunnerServer at) throws Exception {
        return server(at, Duration.ofMinutes(30));
    }

    private TestServer server(RunnerServer at, Duration idle) throws Exception {
        URI url = URI.create("http://127.0.0.1:" + at.port());
        Configuration usual = TestServer.configuration(temporary.resolve("server"), null, url);
        return TestServer.start(
                TestConfiguration.withIdleWorkspace(
                        TestConfiguration.withSandbox(usual, TestConfiguration.remote(url, TOKEN)),
                        idle),
                Clock.systemUTC());
    }

    private static String files(String chat) {
        return "/api/sessions/" + chat + "/files";
    }

    private static String message(List<Event> events) {
        return events.get(events.size() - 2).data().get("message").stringValue();
    }

    private static List<Event> turn(TestServer server, String chat, String message)
            throws Exception {
        try (Events events = server.turn(Map.of("message", message, "chatId", chat))) {
            List<Event> all = events.rest();
            assertThat(all.getLast().data().get("status").stringValue()).isEqualTo("succeeded");
            return all;
        }
    }
}
