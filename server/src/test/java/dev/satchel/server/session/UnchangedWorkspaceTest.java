package dev.satchel.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** Runs that say that they changed no file: their snapshot is the one before. */
@Timeout(60)
class UnchangedWorkspaceTest {
    private static final String UNCHANGED =
            "{\"type\":\"result\",\"message\":\"done\",\"workspaceChanged\":false}";

    @Test
    void theWorkspaceIsNotWalkedAgain() throws Exception {
        try (SharedDisk disk = SharedDisk.start()) {
            String session = disk.create();
            disk.turn(session, "a.txt", "one");
            disk.write(session, "unseen.txt", "written past the server");
            unchangedTurn(disk, session);

            assertThat(snapshots(disk, session)).hasSize(2);
            assertThat(pathsOfNewest(disk, session)).containsExactly("a.txt");

            disk.turn(session, "b.txt", "two"); // says nothing about changes
            assertThat(pathsOfNewest(disk, session))
                    .containsExactlyInAnyOrder("a.txt", "b.txt", "unseen.txt");
        }
    }

    @Test
    void aChangeThroughTheApiIsSavedByTheNextTurn() throws Exception {
        try (SharedDisk disk = SharedDisk.start()) {
            String session = disk.create();
            disk.turn(session, "a.txt", "one");
            disk.server().upload(session, "bag.txt", "from the bag");
            unchangedTurn(disk, session);
            assertThat(pathsOfNewest(disk, session)).containsExactlyInAnyOrder("a.txt", "bag.txt");

            disk.server()
                    .post(
                            "/api/sessions/" + session + "/files",
                            Map.of("files", List.of(Map.of("path", "api.txt", "content", "YQ=="))));
            unchangedTurn(disk, session);
            assertThat(pathsOfNewest(disk, session))
                    .containsExactlyInAnyOrder("a.txt", "api.txt", "bag.txt");
        }
    }

    @Test
    void afterARestartEveryFileIsLookedAt() throws Exception {
        SharedDisk first = SharedDisk.start();
        String session = first.create();
        first.turn(session, "a.txt", "one");
        first.write(session, "late.txt", "after the snapshot");
        try (SharedDisk second = first.restarted()) {
            unchangedTurn(second, session);
            assertThat(pathsOfNewest(second, session))
                    .containsExactlyInAnyOrder("a.txt", "late.txt");
        }
    }

    private static void unchangedTurn(SharedDisk disk, String session) throws Exception {
        try (TestServer.Events events = disk.send(session, "go")) {
            ScriptedSandbox.RunOnStage run = disk.sandbox().next();
            run.say(UNCHANGED).hangsUp();
            while (events.line().isPresent()) {}
        }
    }

    private static List<JsonNode> snapshots(SharedDisk disk, String session) throws Exception {
        return disk.server()
                .getJson("/api/sessions/" + session + "/snapshots")
                .get("snapshots")
                .valueStream()
                .toList();
    }

    private static List<String> pathsOfNewest(SharedDisk disk, String session) throws Exception {
        String id = snapshots(disk, session).getFirst().get("id").stringValue();
        return disk.server()
                .getJson("/api/sessions/" + session + "/files?at=" + id)
                .get("files")
                .valueStream()
                .map(file -> file.get("path").stringValue())
                .toList();
    }
}
