package dev.satchel.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.ServerProcess;
import dev.satchel.server.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server is killed while it copies bag files into a workspace, or while the agent edits them. */
@Timeout(120)
class KilledRunTest {
    private static final int FILES = 150;

    @TempDir Path folder;
    private String chat = "";

    @Test
    void editsOfARunWhoseServerWasKilledStay() throws Exception {
        try (ScriptedSandbox sandbox = new ScriptedSandbox()) {
            try (ServerProcess server = start(sandbox)) {
                chat = newChat(server);
                upload(server, "main.py", "old");
                upload(server, "gone.txt", "gone");
                try (TestServer.Events _ = turn(server)) {
                    ScriptedSandbox.RunOnStage _ = sandbox.next();
                    assertThat(workspace().resolve("main.py")).hasContent("old");
                    Files.writeString(workspace().resolve("main.py"), "edited");
                    Files.delete(workspace().resolve("gone.txt"));
                    server.kill(); // no snapshot has the files
                }
            }
            try (ServerProcess server = start(sandbox);
                    TestServer.Events events = turn(server)) {
                ScriptedSandbox.RunOnStage run = sandbox.next();
                assertThat(workspace().resolve("main.py")).hasContent("edited");
                assertThat(names()).containsExactly("main.py");
                run.answers("done");
                events.rest();
            }
        }
    }

    @Test
    void afterAKillInTheMiddleOfCopyingEveryFileIsThereOnce() throws Exception {
        try (ScriptedSandbox sandbox = new ScriptedSandbox()) {
            try (ServerProcess server = start(sandbox)) {
                chat = newChat(server);
                answered(server, sandbox);
                Files.createDirectories(workspace());
                for (int i = 0; i < FILES; i++) {
                    upload(server, "file-%03d.txt".formatted(i), "content of " + i);
                }
                try (TestServer.Events _ = turn(server)) {
                    while (names().isEmpty()) {
                        Thread.onSpinWait(); // until the first file is copied
                    }
                    server.kill();
                }
            }
            while (!sandbox.nothingDispatched()) {
                ScriptedSandbox.RunOnStage _ = sandbox.next(); // of the killed server, if any
            }
            try (ServerProcess server = start(sandbox)) {
                answered(server, sandbox);
            }
            assertThat(names()).hasSize(FILES);
            for (int i = 0; i < FILES; i++) {
                assertThat(workspace().resolve("file-%03d.txt".formatted(i)))
                        .hasContent("content of " + i);
            }
        }
    }

    private void answered(ServerProcess server, ScriptedSandbox sandbox) throws Exception {
        try (TestServer.Events events = turn(server)) {
            sandbox.next().answers("done");
            events.rest();
        }
    }

    private ServerProcess start(ScriptedSandbox sandbox) throws IOException {
        return ServerProcess.start(
                folder.resolve("data"),
                Map.of(
                        "SANDBOX_URL",
                        sandbox.url().toString(),
                        "SANDBOX_WORKSPACES_DIR",
                        folder.resolve("workspaces").toString()));
    }

    private static String newChat(ServerProcess server) throws Exception {
        return Json.MAPPER
                .readTree(server.send("POST", "/api/assistant/chats", "{}").body())
                .get("id")
                .stringValue();
    }

    private void upload(ServerProcess server, String name, String content) throws Exception {
        int status =
                server.send(
                                "POST",
                                "/api/sessions/" + chat + "/attachments",
                                Json.MAPPER.writeValueAsString(
                                        Map.of(
                                                "filename",
                                                name,
                                                "mimeType",
                                                "text/plain",
                                                "content",
                                                java.util.Base64.getEncoder()
                                                        .encodeToString(
                                                                content.getBytes(
                                                                        java.nio.charset
                                                                                .StandardCharsets
                                                                                .UTF_8)))))
                        .statusCode();
        assertThat(status).isEqualTo(201);
    }

    private TestServer.Events turn(ServerProcess server) throws Exception {
        return server.turn(Map.of("message", "go", "chatId", chat));
    }

    private Path workspace() {
        return folder.resolve("workspaces").resolve(chat);
    }

    /** Without those that are not complete yet. */
    private List<String> names() throws IOException {
        if (!Files.exists(workspace())) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(workspace())) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.startsWith(".satchel-"))
                    .sorted()
                    .toList();
        }
    }
}
