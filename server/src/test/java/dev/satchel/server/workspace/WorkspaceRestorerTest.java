package dev.satchel.server.workspace;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.http.SatchelException;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.objectstore.LocalObjectStore;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.objectstore.S3ObjectStore;
import dev.satchel.server.objectstore.S3ProxyProcess;
import dev.satchel.server.snapshot.Manifest;
import dev.satchel.server.snapshot.Snapshot;
import dev.satchel.server.workspace.RestoringWorkspace.Killed;
import dev.satchel.server.workspace.WorkspaceRestorer.Restored;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Going to earlier snapshots and back, on both databases. */
@ParameterizedClass
@EnumSource(Dialect.class)
class WorkspaceRestorerTest {
    @TempDir Path folder;
    private final Dialect dialect;
    private RestoringWorkspace workspace;

    WorkspaceRestorerTest(Dialect dialect) {
        this.dialect = dialect;
    }

    @BeforeEach
    void open() throws IOException {
        open(new LocalObjectStore(folder.resolve("objects")));
    }

    private void open(ObjectStore objects) throws IOException {
        workspace = new RestoringWorkspace(dialect, folder.resolve("live"), objects);
        workspace.create();
    }

    @AfterEach
    void close() {
        workspace.close();
    }

    @Test
    void switchingTwiceGivesTheSameTree() throws Exception {
        Map<String, String> _ = switchTwice();
    }

    @Test
    void switchingTwiceGivesTheSameTreeFromABucket() throws Exception {
        workspace.close();
        try (S3ProxyProcess server = S3ProxyProcess.start(folder.resolve("s3"));
                S3ObjectStore bucket = new S3ObjectStore(server.newBucket())) {
            open(bucket);
            Map<String, String> first = switchTwice();
            workspace.live().erase(workspace.conversation().id());
            workspace.use();
            assertThat(workspace.tree()).isEqualTo(first);
        }
    }

    /** Leaves the first tree, which is returned. */
    private Map<String, String> switchTwice() throws Exception {
        writeFirst();
        Map<String, String> first = workspace.tree();
        Snapshot before = workspace.save();
        writeSecond();
        Map<String, String> second = workspace.tree();

        Restored<Boolean> there = workspace.switchTo(before);
        assertThat(workspace.tree()).isEqualTo(first);

        Restored<Boolean> back = workspace.switchTo(there.kept().orElseThrow());
        assertThat(workspace.tree()).isEqualTo(second);
        assertThat(back.kept().map(Snapshot::id)).isEqualTo(there.made().map(Snapshot::id));

        workspace.switchTo(back.kept().orElseThrow());
        assertThat(workspace.tree()).isEqualTo(first);
        return first;
    }

    @Test
    void aSwitchReadsOnlyFilesThatDifferAlsoAfterAllWereUnpacked() throws Exception {
        for (int i = 0; i < 30; i++) {
            write("file-" + i, "content " + i);
        }
        Snapshot one = workspace.save();
        write("file-7", "changed");
        Snapshot two = workspace.save();
        workspace.manager().evict(workspace.conversation());
        workspace.settle();
        workspace.use();
        workspace.switchTo(one); // the unpacked files are new ones
        workspace.switchTo(two);
        int before = workspace.filesRead();

        workspace.switchTo(one);

        assertThat(workspace.filesRead() - before).isLessThanOrEqualTo(1);
        assertThat(file("file-7")).hasContent("content 7");
    }

    @Test
    void theNextSnapshotHasWhatWasRestored() throws Exception {
        writeFirst();
        Snapshot before = workspace.save();
        writeSecond();
        workspace.switchTo(before);
        Map<String, String> restored = workspace.tree();

        workspace.save();
        workspace.live().erase(workspace.conversation().id());
        workspace.use();

        assertThat(workspace.tree()).isEqualTo(restored);
    }

    @Test
    void aFileOfTheSameSizeAndTimeIsRestored() throws Exception {
        FileTime time = FileTime.from(Instant.parse("2024-02-29T12:34:56.789Z"));
        write("a.txt", "one");
        Files.setLastModifiedTime(file("a.txt"), time);
        Snapshot one = workspace.save();
        write("a.txt", "two");
        Files.setLastModifiedTime(file("a.txt"), time);
        Snapshot two = workspace.save();

        workspace.switchTo(one);
        assertThat(file("a.txt")).hasContent("one");
        workspace.save();
        workspace.switchTo(two);
        assertThat(file("a.txt")).hasContent("two");
        workspace.switchTo(one);
        assertThat(file("a.txt")).hasContent("one");
    }

    @Test
    void whereverItIsKilledTheOldOrTheNewFilesAreThere() throws Exception {
        writeFirst();
        Map<String, String> first = workspace.tree();
        Snapshot before = workspace.save();
        writeSecond();
        Map<String, String> second = workspace.tree();
        int deaths = 0;
        int interrupted = 0;
        for (boolean died = true; died; deaths++) {
            workspace.dieAtCall(deaths);
            died = dies(before);
            workspace.revive();
            boolean isNew = newest().restoredFrom() != null;
            interrupted += died && isNew ? 1 : 0;
            Map<String, String> expected = isNew ? first : second;
            assertThat(viewed("dir/one.txt")).isEqualTo(isNew ? "one" : "changed");
            workspace.use();
            assertThat(workspace.tree()).isEqualTo(expected);
            if (isNew) { // back to the second
                workspace.switchTo(kept());
                assertThat(workspace.tree()).isEqualTo(second);
                write(
                        "another",
                        "x".repeat(deaths)); // the newest snapshot is of files that were made
                second = workspace.tree();
                workspace.save();
            }
        }
        assertThat(interrupted).isGreaterThan(10);
    }

    private boolean dies(Snapshot target) throws IOException, InterruptedException {
        try {
            workspace.switchTo(target);
            return false;
        } catch (Killed e) {
            return true;
        }
    }

    /** What was live before the newest snapshot. */
    private Snapshot kept() {
        return workspace.snapshots().list(workspace.conversation().id()).get(1);
    }

    private Snapshot newest() {
        return workspace.snapshots().newest(workspace.conversation().id()).orElseThrow();
    }

    private String viewed(String path) throws IOException {
        try (WorkspaceView view = workspace.view();
                WorkspaceFile file = view.open(new WorkspacePath(path))) {
            return new String(file.open(0, file.stat().size()).readAllBytes(), UTF_8);
        }
    }

    @Test
    void onAFullDiskTheNextUseUnpacksTheWhole() throws Exception {
        writeFirst();
        Map<String, String> first = workspace.tree();
        Snapshot before = workspace.save();
        writeSecond();
        workspace.save();

        workspace.fillDiskAtCall(20); // while the files are written
        workspace.switchTo(before);
        workspace.revive();

        assertThat(workspace.path()).doesNotExist();
        assertThat(viewed("dir/one.txt")).isEqualTo("one");
        workspace.use();
        assertThat(workspace.tree()).isEqualTo(first);
    }

    @Test
    void twoAtOnceComeOneAfterTheOther() throws Exception {
        writeFirst();
        Map<String, String> first = workspace.tree();
        Snapshot one = workspace.save();
        writeSecond();
        Map<String, String> second = workspace.tree();
        Snapshot two = workspace.save();

        try (ExecutorService both = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> there = both.submit(() -> workspace.switchTo(one));
            Future<?> back = both.submit(() -> workspace.switchTo(two));
            there.get();
            back.get();
        }

        boolean isFirst = newest().manifest().equals(one.manifest());
        assertThat(workspace.tree()).isEqualTo(isFirst ? first : second);
    }

    @Test
    void somePathsAreRestoredAndTheOthersStay() throws Exception {
        writeFirst();
        Snapshot before = workspace.save();
        writeSecond();

        var restored =
                workspace
                        .restorer()
                        .restore(
                                workspace.conversation(),
                                before,
                                List.of(
                                        new WorkspacePath("dir/one.txt"),
                                        new WorkspacePath("new.txt")));

        assertThat(file("dir/one.txt")).hasContent("one");
        assertThat(file("new.txt")).doesNotExist();
        assertThat(file("gone.txt")).doesNotExist();
        assertThat(file("now-a-directory/x")).exists();
        assertThat(restored.made().orElseThrow().changes()).isEqualTo(new Manifest.Counts(0, 1, 1));
    }

    @Test
    void anEmptyWorkspaceIsAPlaceToGoTo() throws Exception {
        writeFirst();
        Map<String, String> first = workspace.tree();

        var restored =
                workspace
                        .restorer()
                        .switchTo(workspace.conversation(), Optional.empty(), _ -> true);

        assertThat(workspace.tree()).isEmpty();
        workspace.switchTo(restored.kept().orElseThrow());
        assertThat(workspace.tree()).isEqualTo(first);
    }

    @Test
    void aChangeThatFailsLeavesTheFiles() throws Exception {
        writeFirst();
        Snapshot before = workspace.save();
        writeSecond();
        Map<String, String> second = workspace.tree();

        assertThatThrownBy(
                        () ->
                                workspace
                                        .restorer()
                                        .switchTo(
                                                workspace.conversation(),
                                                Optional.of(before),
                                                _ -> {
                                                    throw SessionErrors.runInProgress();
                                                }))
                .isInstanceOf(SatchelException.class);

        assertThat(workspace.tree()).isEqualTo(second);
        assertThat(newest().restoredFrom()).isNull();
    }

    @Test
    void withoutALiveWorkspaceTheNextUseRestores() throws Exception {
        writeFirst();
        Map<String, String> first = workspace.tree();
        Snapshot before = workspace.save();
        writeSecond();
        workspace.manager().evict(workspace.conversation());

        workspace.switchTo(before);

        assertThat(workspace.path()).doesNotExist();
        assertThat(viewed("dir/one.txt")).isEqualTo("one");
        workspace.use();
        assertThat(workspace.tree()).isEqualTo(first);
    }

    private Path file(String path) {
        return workspace.path().resolve(path);
    }

    private void write(String path, String content) throws IOException {
        Files.createDirectories(file(path).getParent());
        Files.writeString(file(path), content);
    }

    private void writeFirst() throws IOException {
        write("dir/one.txt", "one");
        write("dir/two.txt", "two");
        write("dir/deep/three.txt", "two");
        write("gone.txt", "gone");
        write("read-only/a", "a");
        write("now-a-directory", "file");
        write("now-a-link/x", "x");
        Files.createDirectory(file("empty"));
        Files.createSymbolicLink(file("link"), Path.of("dir"));
        Files.createSymbolicLink(file("now-a-file"), Path.of("/etc/passwd"));
        mode("read-only", "r-xr-xr-x");
        mode("dir/two.txt", "r--------");
        Files.setLastModifiedTime(file("dir/deep"), FileTime.from(Instant.EPOCH));
    }

    private void writeSecond() throws IOException {
        write("dir/one.txt", "changed");
        write("new.txt", "new");
        write("dir/deep/new/x", "new");
        Files.delete(file("gone.txt"));
        mode("read-only", "rwxr-xr-x");
        write("read-only/b", "b");
        Files.delete(file("read-only/a"));
        mode("read-only", "r-xr-xr-x");
        Files.delete(file("now-a-directory"));
        write("now-a-directory/x", "x");
        Files.delete(file("now-a-link/x"));
        Files.delete(file("now-a-link"));
        Files.createSymbolicLink(file("now-a-link"), Path.of("dir/deep"));
        Files.delete(file("now-a-file"));
        write("now-a-file", "file");
        Files.delete(file("link"));
        Files.createSymbolicLink(file("link"), Path.of(".."));
        mode("dir/two.txt", "rwxr-xr-x");
        Files.delete(file("empty"));
    }

    private void mode(String path, String mode) throws IOException {
        Files.setPosixFilePermissions(file(path), PosixFilePermissions.fromString(mode));
    }
}
