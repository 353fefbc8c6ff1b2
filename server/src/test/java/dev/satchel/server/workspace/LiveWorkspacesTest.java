package dev.satchel.server.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.runner.workspace.SafeDirectory;
import dev.satchel.runner.workspace.WorkspacePath;
import dev.satchel.runner.workspace.WorkspaceWalk;
import dev.satchel.server.conversation.ConversationId;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

class LiveWorkspacesTest {
    @TempDir Path folder;
    private final ConversationId chat = ConversationId.random();

    @Test
    void whoeverReadsInAWorkspaceReadsOnWhenItIsTakenAway() throws IOException {
        LiveWorkspaces live = new LiveWorkspaces(Optional.of(folder.resolve("workspaces")));
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
        LiveWorkspaces live = new LiveWorkspaces(Optional.of(folder.resolve("workspaces")));
        live.open(chat).orElseThrow().close();
        live.remove(chat);
        Path restoring = live.newFolder();

        live.clearRemoved(Duration.ZERO);

        try (var left = Files.list(folder.resolve("workspaces-aside"))) {
            assertThat(left).containsExactly(restoring);
        }
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
