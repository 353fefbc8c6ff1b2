package dev.satchel.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.access.MovableClock;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestServer;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Live workspaces that are evicted, or whose server stops, are restored from snapshots. */
@Timeout(60)
class EvictionTest {
    private static final Duration SOON = Duration.ofMillis(20);

    @Test
    void anIdleWorkspaceIsReadFromItsSnapshotAndRestoredForTheNextTurn() throws Exception {
        try (SharedDisk disk = SharedDisk.start(SOON)) {
            String session = disk.create();
            disk.turn(session, "deep/a.txt", "kept");
            awaitGone(disk.workspace(session));

            HttpResponse<String> file = disk.file(session, "deep/a.txt");
            assertThat(file.body()).isEqualTo("kept");
            assertThat(file.headers().firstValue("X-Ash-Source")).hasValue("snapshot");

            try (TestServer.Events events = disk.send(session, "go on")) {
                ScriptedSandbox.RunOnStage run = disk.sandbox().next();
                assertThat(disk.workspace(session).resolve("deep/a.txt")).hasContent("kept");
                run.answers("done");
                while (events.line().isPresent()) {}
            }
        }
    }

    @Test
    void filesWrittenThroughTheApiAreInTheSnapshotOfAnEvictedWorkspace() throws Exception {
        try (SharedDisk disk = SharedDisk.start(SOON)) {
            String session = disk.create();
            write(disk, session);
            awaitGone(disk.workspace(session));

            assertThat(disk.file(session, "written.txt").body()).isEqualTo("hello");
        }
    }

    @Test
    void theIdleWorkspaceOfADeletedChatIsEvicted() throws Exception {
        MovableClock clock = new MovableClock();
        try (SharedDisk disk = SharedDisk.start(SOON, clock)) {
            String session = disk.create();
            write(disk, session);
            String chat = "/api/assistant/chats/" + session;
            disk.server().send(disk.server().request(chat).DELETE().build());
            assertThat(disk.workspace(session)).exists();

            clock.advance(Duration.ofDays(10_000)); // the times of the files do not change
            awaitGone(disk.workspace(session));
        }
    }

    @Test
    void aWorkspaceInUseIsNeverEvicted() throws Exception {
        try (SharedDisk disk = SharedDisk.start(SOON)) {
            String idle = disk.create();
            String busy = disk.create();
            try (TestServer.Events events = disk.send(busy, "work")) {
                ScriptedSandbox.RunOnStage run = disk.sandbox().next();
                disk.write(busy, "half.txt", "being written");
                write(disk, idle);
                awaitGone(disk.workspace(idle)); // so the sweep has run

                assertThat(disk.workspace(busy).resolve("half.txt")).exists();
                run.answers("done");
                while (events.line().isPresent()) {}
            }
        }
    }

    @Test
    void aStoppedServerSavesFilesWrittenSinceTheLastTurn() throws Exception {
        SharedDisk disk = SharedDisk.start();
        String session = disk.create();
        write(disk, session);

        try (SharedDisk next = disk.restarted()) {
            delete(next.workspace(session));

            HttpResponse<String> file = next.file(session, "written.txt");
            assertThat(file.body()).isEqualTo("hello");
            assertThat(file.headers().firstValue("X-Ash-Source")).hasValue("snapshot");
        }
    }

    @Test
    void aStoppedServerSavesTheFilesOfARunInProgress() throws Exception {
        SharedDisk disk = SharedDisk.start();
        String session = disk.create();
        try (TestServer.Events _ = disk.send(session, "work")) {
            disk.sandbox().next();
            disk.write(session, "half.txt", "half done");

            try (SharedDisk next = disk.restarted()) {
                delete(next.workspace(session));
                assertThat(next.file(session, "half.txt").body()).isEqualTo("half done");
            }
        }
    }

    private static void write(SharedDisk disk, String session) throws Exception {
        disk.server()
                .post(
                        "/api/sessions/" + session + "/files",
                        Map.of(
                                "files",
                                List.of(Map.of("path", "written.txt", "content", "aGVsbG8="))));
    }

    private static void awaitGone(Path workspace) {
        while (Files.exists(workspace)) {
            assertThat(Thread.currentThread().isInterrupted()).as("out of time").isFalse();
            Thread.onSpinWait();
        }
    }

    private static void delete(Path tree) throws Exception {
        try (Stream<Path> all = Files.walk(tree)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
