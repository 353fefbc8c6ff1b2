package dev.satchel.server.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.filesystem.WorkspaceWalk;
import dev.satchel.runner.workspace.WorkspaceDirectories;
import dev.satchel.server.conversation.ConversationId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LiveWorkspacesTest {
    @TempDir Path folder;
    private final ConversationId chat = ConversationId.random();

    @Test
    void whoeverReadsInAWorkspaceReadsOnWhenItIsTakenAway() throws IOException {
        LiveWorkspaces live =
                new LocalWorkspaces(new WorkspaceDirectories(folder.resolve("workspaces"), "test"));
        try (SafeDirectory reading = live.open(chat).orElseThrow()) {
            reading.write(new WorkspacePath("deep/a.txt"), new byte[3]);

            live.remove(chat);
            live.clearRemoved(Duration.ofMinutes(1));

            assertThat(live.find(chat)).isEmpty();
            assertThat(live.all()).isEmpty();
            assertThat(count(reading)).isEqualTo(2);
        }
    }

    @Test
    void whatWasTakenAwayIsClearedAndWhatIsBeingRestoredIsNot() throws IOException {
        LiveWorkspaces live =
                new LocalWorkspaces(new WorkspaceDirectories(folder.resolve("workspaces"), "test"));
        live.open(chat).orElseThrow().close();
        live.remove(chat);
        live.install(
                ConversationId.random(),
                restoring -> {
                    live.clearRemoved(Duration.ZERO);
                    try (var left = Files.list(folder.resolve("workspaces-aside"))) {
                        assertThat(left).containsExactly(restoring);
                    }
                });
    }

    @Test
    void aServerThatStartsOnASharedDiskClearsOnlyWhatIsItsOwn() throws IOException {
        Path workspaces = folder.resolve("workspaces");
        WorkspaceDirectories ours = new WorkspaceDirectories(workspaces, "one");
        WorkspaceDirectories killed = new WorkspaceDirectories(workspaces, "another");
        killed.make("left");
        killed.remove("left");

        ours.install(
                chat.value(),
                restoring -> {
                    new WorkspaceDirectories(workspaces, "another").clear();
                    try (var left = Files.list(folder.resolve("workspaces-aside"))) {
                        assertThat(left).containsExactly(restoring);
                    }
                });

        assertThat(ours.exists(chat.value())).isTrue();
    }

    private static int count(SafeDirectory directory) throws IOException {
        int count = 0;
        WorkspaceWalk walk = directory.walk(WorkspacePath.ROOT);
        while (walk.next() != null) {
            count++;
        }
        return count;
    }
}
