package dev.satchel.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestServer;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** A file of the bag is copied into the workspace once; from then on the copy is the agent's. */
@Timeout(60)
class CopiedFilesTest {
    @FunctionalInterface
    private interface Work {
        void in(Path workspace) throws Exception;
    }

    @Test
    void theNextTurnUndoesNoEditAndNoRemoval() throws Exception {
        try (SharedDisk disk = SharedDisk.start()) {
            String session = disk.create();
            disk.server().upload(session, "main.py", "old");
            disk.server().upload(session, "gone.txt", "gone");
            disk.server().upload(session, "over-the-api.txt", "old");
            turn(
                    disk,
                    session,
                    workspace -> {
                        assertThat(workspace.resolve("main.py")).hasContent("old");
                        Files.writeString(workspace.resolve("main.py"), "edited");
                        Files.delete(workspace.resolve("gone.txt"));
                    });
            writeOverTheApi(disk, session, "over-the-api.txt");
            disk.server().upload(session, "new.txt", "new");

            turn(
                    disk,
                    session,
                    workspace -> {
                        assertThat(workspace.resolve("main.py")).hasContent("edited");
                        assertThat(workspace.resolve("gone.txt")).doesNotExist();
                        assertThat(workspace.resolve("over-the-api.txt")).hasContent("hello");
                        assertThat(workspace.resolve("new.txt")).hasContent("new");
                    });
        }
    }

    @Test
    void aRestoredWorkspaceIsAsItWas() throws Exception {
        try (SharedDisk disk = SharedDisk.start(Duration.ofMillis(20))) {
            String session = disk.create();
            disk.server().upload(session, "main.py", "old");
            disk.server().upload(session, "gone.txt", "gone");
            turn(disk, session, CopiedFilesTest::editAndRemove);
            while (Files.exists(disk.workspace(session))) {
                Thread.onSpinWait(); // until it is evicted
            }

            turn(disk, session, CopiedFilesTest::assertEditedAndRemoved);
        }
    }

    @Test
    void aForkContinuesWithTheEditedFiles() throws Exception {
        try (SharedDisk disk = SharedDisk.start()) {
            String session = disk.create();
            disk.server().upload(session, "main.py", "old");
            disk.server().upload(session, "gone.txt", "gone");
            turn(disk, session, CopiedFilesTest::editAndRemove);

            String fork =
                    Json.MAPPER
                            .readTree(disk.post(session, "fork").body())
                            .at("/session/id")
                            .stringValue();
            disk.post(fork, "resume");

            turn(disk, fork, CopiedFilesTest::assertEditedAndRemoved);
        }
    }

    @Test
    void aLostWorkspaceGetsTheFilesAgain() throws Exception {
        try (SharedDisk disk = SharedDisk.start()) {
            String session = disk.create();
            disk.server().upload(session, "a.txt", "first");
            turn(disk, session, workspace -> Files.writeString(workspace.resolve("a.txt"), "mine"));
            disk.server().upload(session, "b.txt", "second");
            try (TestServer.Events events = disk.send(session, "fails")) {
                ScriptedSandbox.RunOnStage run = disk.sandbox().next();
                assertThat(disk.workspace(session).resolve("b.txt")).hasContent("second");
                delete(disk.workspace(session)); // no snapshot has b.txt
                run.answers("done");
                while (events.line().isPresent()) {}
            }

            turn(
                    disk,
                    session,
                    workspace -> {
                        assertThat(workspace.resolve("a.txt")).hasContent("mine");
                        assertThat(workspace.resolve("b.txt")).hasContent("second");
                    });
        }
    }

    @Test
    void aReplacedFileLeavesAndTheNewOneComes() throws Exception {
        try (SharedDisk disk = SharedDisk.start()) {
            String session = disk.create();
            JsonNode same = disk.server().upload(session, "same.txt", "old");
            JsonNode edited = disk.server().upload(session, "edited.txt", "old");
            turn(
                    disk,
                    session,
                    workspace -> Files.writeString(workspace.resolve("edited.txt"), "mine"));
            assertThat(delete(disk, session, same).statusCode()).isEqualTo(204);
            assertThat(delete(disk, session, edited).statusCode()).isEqualTo(200);
            disk.server().upload(session, "same.txt", "new");
            disk.server().upload(session, "edited.txt", "new");

            turn(
                    disk,
                    session,
                    workspace -> {
                        assertThat(workspace.resolve("same.txt")).doesNotExist();
                        assertThat(workspace.resolve("same-1.txt")).hasContent("new");
                        assertThat(workspace.resolve("edited.txt")).hasContent("mine");
                        assertThat(workspace.resolve("edited-1.txt")).hasContent("new");
                    });
        }
    }

    @Test
    void aDeletedFileLeavesTheWorkspaceUnlessItWasChanged() throws Exception {
        try (SharedDisk disk = SharedDisk.start()) {
            String session = disk.create();
            JsonNode unused = disk.server().upload(session, "unused.txt", "x");
            assertThat(delete(disk, session, unused).statusCode()).isEqualTo(204);
            JsonNode same = disk.server().upload(session, "same.txt", "x");
            JsonNode changed = disk.server().upload(session, "changed.txt", "x");
            JsonNode attachment = disk.server().upload(session, "attachment.txt", "x");
            turn(
                    disk,
                    session,
                    workspace -> {
                        Files.writeString(workspace.resolve("changed.txt"), "mine");
                        Files.writeString(workspace.resolve("attachment.txt"), "mine");
                    });

            assertThat(delete(disk, session, same).statusCode()).isEqualTo(204);
            assertThat(disk.workspace(session).resolve("same.txt")).doesNotExist();

            HttpResponse<String> kept = delete(disk, session, changed);
            assertThat(kept.statusCode()).isEqualTo(200);
            assertThat(Json.MAPPER.readTree(kept.body()).at("/workspaceCopy"))
                    .isEqualTo(copy("changed.txt", "changed"));
            assertThat(disk.workspace(session).resolve("changed.txt")).hasContent("mine");

            HttpResponse<String> other =
                    disk.server()
                            .send(
                                    "DELETE",
                                    "/api/attachments/" + attachment.get("id").stringValue(),
                                    Map.of());
            assertThat(Json.MAPPER.readTree(other.body()).at("/workspaceCopy"))
                    .isEqualTo(copy("attachment.txt", "changed"));
        }
    }

    @Test
    void aFileDeletedDuringARunLeavesBeforeTheNext() throws Exception {
        try (SharedDisk disk = SharedDisk.start()) {
            String session = disk.create();
            JsonNode file = disk.server().upload(session, "a.txt", "x");
            turn(
                    disk,
                    session,
                    workspace -> {
                        HttpResponse<String> answer = delete(disk, session, file);
                        assertThat(Json.MAPPER.readTree(answer.body()).at("/workspaceCopy"))
                                .isEqualTo(copy("a.txt", "pending"));
                        assertThat(workspace.resolve("a.txt")).exists();
                    });

            turn(disk, session, workspace -> assertThat(workspace.resolve("a.txt")).doesNotExist());
        }
    }

    @Test
    void aTakenNameBecomesAnotherThatTheStreamAndTheListShow() throws Exception {
        try (SharedDisk disk = SharedDisk.start()) {
            String session = disk.create();
            disk.server().upload(session, "assets", "a");
            disk.server().upload(session, "staged", "b");
            disk.server().upload(session, "folder", "c");
            upload(disk, session, "deep", "d.txt", "d");
            writeOverTheApi(disk, session, "folder/inside.txt");
            writeOverTheApi(disk, session, "deep");

            List<JsonNode> events =
                    turn(
                            disk,
                            session,
                            workspace -> {
                                assertThat(workspace.resolve("assets-1")).hasContent("a");
                                assertThat(workspace.resolve("staged-1")).hasContent("b");
                                assertThat(workspace.resolve("folder-1")).hasContent("c");
                                assertThat(workspace.resolve("d.txt")).hasContent("d");
                            });

            assertThat(
                            events.stream()
                                    .filter(
                                            event ->
                                                    "rename_file"
                                                            .equals(
                                                                    event.path("name")
                                                                            .stringValue("")))
                                    .filter(event -> event.has("result"))
                                    .map(event -> event.at("/result/path").stringValue()))
                    .containsExactly("assets-1", "staged-1", "folder-1", "d.txt");
            JsonNode files =
                    disk.server()
                            .getJson("/api/assistant/chats/" + session + "/files")
                            .get("files");
            List<String> paths = new ArrayList<>();
            files.forEach(file -> paths.add(file.get("workspacePath").stringValue()));
            assertThat(paths).containsExactly("assets-1", "staged-1", "folder-1", "d.txt");
            turn(
                    disk,
                    session,
                    workspace -> assertThat(workspace.resolve("assets-2")).doesNotExist());
        }
    }

    private static void editAndRemove(Path workspace) throws Exception {
        Files.writeString(workspace.resolve("main.py"), "edited");
        Files.delete(workspace.resolve("gone.txt"));
    }

    private static void assertEditedAndRemoved(Path workspace) {
        assertThat(workspace.resolve("main.py")).hasContent("edited");
        assertThat(workspace.resolve("gone.txt")).doesNotExist();
        assertThat(workspace.resolve("main-1.py")).doesNotExist();
    }

    private static List<JsonNode> turn(SharedDisk disk, String session, Work work)
            throws Exception {
        try (TestServer.Events events =
                disk.server().turn(Map.of("message", "go", "chatId", session))) {
            ScriptedSandbox.RunOnStage run = disk.sandbox().next();
            work.in(disk.workspace(session));
            run.answers("done");
            return events.rest().stream().map(TestServer.Events.Event::data).toList();
        }
    }

    private static HttpResponse<String> delete(SharedDisk disk, String session, JsonNode file)
            throws Exception {
        return disk.server()
                .send(
                        "DELETE",
                        "/api/assistant/chats/"
                                + session
                                + "/files/"
                                + file.get("id").stringValue(),
                        Map.of());
    }

    private static JsonNode copy(String path, String state) {
        return Json.MAPPER.valueToTree(Map.of("path", path, "state", state));
    }

    private static void upload(
            SharedDisk disk, String session, String folder, String name, String content)
            throws Exception {
        HttpResponse<String> response =
                disk.server()
                        .send(
                                disk.server()
                                        .request(
                                                "/api/assistant/chats/"
                                                        + session
                                                        + "/files?folder="
                                                        + folder)
                                        .header("Content-Type", MultipartBody.CONTENT_TYPE)
                                        .POST(new MultipartBody().file(name, content).publisher())
                                        .build());
        assertThat(response.statusCode()).isEqualTo(201);
    }

    private static void writeOverTheApi(SharedDisk disk, String session, String path)
            throws Exception {
        HttpResponse<String> response =
                disk.server()
                        .post(
                                "/api/sessions/" + session + "/files",
                                Map.of(
                                        "files",
                                        List.of(Map.of("path", path, "content", "aGVsbG8="))));
        assertThat(response.statusCode() / 100).isEqualTo(2);
    }

    private static void delete(Path tree) throws Exception {
        try (var all = Files.walk(tree)) {
            for (Path path : all.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
