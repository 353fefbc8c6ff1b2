package dev.satchel.server.workspace;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Snapshots at the end of turns, read and restored when the live workspace is missing. */
class WorkspaceSnapshotTest {
    private Path workspaces;
    private ScriptedSandbox sandbox;
    private TestServer server;
    private String chat;

    @BeforeEach
    void start() throws Exception {
        Path data = Files.createTempDirectory("satchel-test-");
        workspaces = Files.createDirectories(data.resolve("shared/workspaces"));
        sandbox = new ScriptedSandbox();
        Configuration usual = TestServer.configuration(data, null, sandbox.url());
        server =
                TestServer.start(
                        TestConfiguration.withSandbox(
                                usual, TestConfiguration.remote(sandbox.url(), workspaces)),
                        Clock.systemUTC());
        chat = server.newChat();
    }

    @AfterEach
    void stop() {
        server.close();
        sandbox.close();
    }

    @Test
    void aTurnEndsWithASnapshot() throws Exception {
        turn("one", () -> write("a.txt", "first"));
        turn("two", () -> write("a.txt", "second"));

        List<String> ids = snapshots();
        assertThat(ids).hasSize(2);
        assertThat(get("/files/a.txt").body()).isEqualTo("second");
        assertThat(get("/files/a.txt?at=" + ids.get(1)).body()).isEqualTo("first");
        assertThat(get("/files/a.txt?at=" + ids.get(1)).headers().firstValue("X-Ash-Source"))
                .hasValue("snapshot");
        assertThat(get("/snapshots/diff?from=" + ids.get(1)).body())
                .endsWith("\"added\":[],\"removed\":[],\"changed\":[\"a.txt\"]}");
    }

    @Test
    void pathsAreResolvedInTheSameWayLiveAndInASnapshot() throws Exception {
        turn(
                "one",
                () -> {
                    write("src/index.ts", "console.log(1)");
                    write("yarn.lock", "locked");
                    write("notes..txt", "dots");
                    Files.setLastModifiedTime(
                            workspace().resolve("notes..txt"),
                            FileTime.from(Instant.parse("2024-02-29T12:34:56.789Z")));
                    Files.createSymbolicLink(
                            workspace().resolve("inside"), Path.of("./src/../src/index.ts"));
                    Files.createSymbolicLink(workspace().resolve("dir"), Path.of("src"));
                    Files.createSymbolicLink(workspace().resolve("loop"), Path.of("loop"));
                    Files.createSymbolicLink(workspace().resolve("leak"), Path.of("/etc/passwd"));
                    Files.createSymbolicLink(workspace().resolve("up"), Path.of(".."));
                });
        List<String> requests =
                List.of(
                        "/files",
                        "/files?includeHidden=true",
                        "/files/src/index.ts",
                        "/files/dir/index.ts?format=json",
                        "/files/inside",
                        "/files/loop",
                        "/files/leak",
                        "/files/up/x",
                        "/files/src",
                        "/files/notes..txt/x",
                        "/files/missing");
        List<String> live = answers(requests);

        delete(workspace());

        assertThat(answers(requests))
                .isEqualTo(live.stream().map(a -> a.replace("sandbox", "snapshot")).toList());
        assertThat(live.getFirst()).contains("sandbox");
    }

    @Test
    void aDownloadFromASnapshotIsResumedAndRevalidated() throws Exception {
        turn("one", () -> write("a.txt", "0123456789"));
        delete(workspace());

        HttpResponse<String> part =
                server.send(
                        server.request(url("/files/a.txt")).header("Range", "bytes=4-6").build());

        assertThat(part.statusCode()).isEqualTo(206);
        assertThat(part.body()).isEqualTo("456");
        String tag = part.headers().firstValue("ETag").orElseThrow();
        assertThat(
                        server.send(
                                        server.request(url("/files/a.txt"))
                                                .header("If-None-Match", tag)
                                                .build())
                                .statusCode())
                .isEqualTo(304);
    }

    @Test
    void aMissingWorkspaceIsRestoredBeforeTheNextTurn() throws Exception {
        turn("one", () -> write("deep/a.txt", "kept"));
        delete(workspace());

        turn("two", () -> assertThat(workspace().resolve("deep/a.txt")).hasContent("kept"));
    }

    @Test
    void aMissingWorkspaceIsRestoredBeforeAFileIsWritten() throws Exception {
        turn("one", () -> write("a.txt", "kept"));
        delete(workspace());

        HttpResponse<String> written =
                server.post(
                        url("/files"),
                        Map.of("files", List.of(Map.of("path", "b.txt", "content", "eA=="))));

        assertThat(written.body()).contains("\"written\":true");
        assertThat(workspace().resolve("a.txt")).hasContent("kept");
    }

    @Test
    void anUnknownSnapshotIsRefused() throws Exception {
        turn("one", () -> write("a.txt", "x"));

        assertThat(get("/files?at=nonsense").statusCode()).isEqualTo(400);
        assertThat(get("/files?at=99999999-9999-9999-9999-999999999999").body())
                .isEqualTo("{\"error\":\"Snapshot not found\",\"statusCode\":404}");
    }

    @Test
    void aFifoIsLeftOutOfASnapshot() throws Exception {
        turn("one", () -> write("keep.txt", "kept"));
        turn(
                "two",
                () -> {
                    write("more.txt", "more");
                    Path fifo = workspace().resolve("a-fifo");
                    assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor())
                            .isZero();
                });
        delete(workspace());

        JsonNode listing = Json.MAPPER.readTree(get("/files").body());
        assertThat(listing.get("files").size()).isEqualTo(2);
    }

    private interface Work {
        void run() throws Exception;
    }

    /** A turn whose agent does the work in the workspace. */
    private void turn(String message, Work work) throws Exception {
        try (TestServer.Events events = server.turn(Map.of("message", message, "chatId", chat))) {
            ScriptedSandbox.RunOnStage run = sandbox.next();
            work.run();
            run.answers("done");
            assertThat(events.rest().getLast().data().get("status").stringValue())
                    .isEqualTo("succeeded");
        }
    }

    private Path workspace() {
        return workspaces.resolve(chat);
    }

    private void write(String path, String content) throws IOException {
        Path file = workspace().resolve(path);
        Files.createDirectories(file.getParent());
        Files.write(file, content.getBytes(UTF_8));
    }

    private static void delete(Path tree) throws IOException {
        try (Stream<Path> all = Files.walk(tree)) {
            for (Path path : all.toList().reversed()) {
                Files.delete(path);
            }
        }
    }

    private List<String> answers(List<String> requests) throws Exception {
        List<String> answers = new java.util.ArrayList<>();
        for (String request : requests) {
            HttpResponse<String> answer = get(request);
            answers.add(
                    answer.statusCode()
                            + " "
                            + answer.headers().firstValue("X-Ash-Source").orElse("")
                            + " "
                            + answer.body());
        }
        return answers;
    }

    private List<String> snapshots() throws Exception {
        return server.getJson(url("/snapshots"))
                .get("snapshots")
                .valueStream()
                .map(one -> one.get("id").stringValue())
                .toList();
    }

    private HttpResponse<String> get(String rest) throws Exception {
        return server.get(url(rest));
    }

    private String url(String rest) {
        return "/api/sessions/" + chat + rest;
    }
}
