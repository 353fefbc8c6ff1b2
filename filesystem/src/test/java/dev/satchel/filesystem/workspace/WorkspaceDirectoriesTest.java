package dev.satchel.filesystem.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.filesystem.WorkspaceWalk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkspaceDirectoriesTest {
    private static final String ID = "conversation";

    @TempDir private Path folder;
    private WorkspaceDirectories workspaces;

    @BeforeEach
    void open() {
        workspaces = new WorkspaceDirectories(folder.resolve("workspaces"), "test");
    }

    @Test
    void anOpenReaderReadsOnAfterTheWorkspaceIsRemoved() throws IOException {
        workspaces.create(ID);
        try (SafeDirectory reading = workspaces.find(ID).orElseThrow()) {
            reading.write(new WorkspacePath("deep/a.txt"), new byte[3]);

            workspaces.remove(ID);
            workspaces.clearRemoved(Duration.ofMinutes(1));

            assertThat(workspaces.find(ID)).isEmpty();
            assertThat(workspaces.ids()).isEmpty();
            assertThat(count(reading)).isEqualTo(2);
        }
    }

    @Test
    void removedWorkspacesAreDeletedAndIncompleteOnesAreNot() throws IOException {
        workspaces.create(ID);
        workspaces.remove(ID);

        workspaces.install(
                "other",
                restoring -> {
                    workspaces.clearRemoved(Duration.ZERO);
                    assertThat(staged()).containsExactly(restoring);
                });
    }

    @Test
    void theStartOfOneProcessDeletesOnlyItsOwnDirectoriesOfASharedDisk() throws IOException {
        WorkspaceDirectories killed =
                new WorkspaceDirectories(folder.resolve("workspaces"), "another");
        killed.create("left");
        killed.remove("left");

        workspaces.install(
                ID,
                restoring -> {
                    new WorkspaceDirectories(folder.resolve("workspaces"), "another").clear();
                    assertThat(staged()).containsExactly(restoring);
                });

        assertThat(workspaces.exists(ID)).isTrue();
    }

    private List<Path> staged() throws IOException {
        try (Stream<Path> staged = Files.list(folder.resolve("workspaces-aside"))) {
            return staged.toList();
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
