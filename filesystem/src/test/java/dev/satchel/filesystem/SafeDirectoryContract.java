package dev.satchel.filesystem;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every way of resolving paths promises. */
abstract class SafeDirectoryContract {
    @TempDir Path folder;
    private Path root;
    private Path foreign;
    private SafeDirectory directory;

    abstract SafeDirectory open(Path root) throws IOException;

    @BeforeEach
    void makeFolders() throws IOException {
        root = Files.createDirectory(folder.resolve("root"));
        foreign = Files.createDirectory(folder.resolve("foreign"));
        Files.writeString(foreign.resolve("secret.txt"), "foreign");
        directory = open(root);
    }

    @AfterEach
    void close() {
        directory.close();
    }

    @Test
    void aFileIsReadWithItsAttributes() throws IOException {
        Files.createDirectories(root.resolve("a/b"));
        Files.writeString(root.resolve("a/b/c.txt"), "hello");
        Files.setPosixFilePermissions(
                root.resolve("a/b/c.txt"), PosixFilePermissions.fromString("rw-r-----"));
        try (OpenFile file = directory.open(path("a/b/c.txt"))) {
            assertThat(text(file)).isEqualTo("hello");
            assertThat(file.stat().size()).isEqualTo(5);
            assertThat(file.stat().mode()).isEqualTo(0640);
            assertThat(file.stat().modified())
                    .isEqualTo(Files.getLastModifiedTime(root.resolve("a/b/c.txt")).toInstant());
        }
    }

    @Test
    void aNameMayContainDots() throws IOException {
        Files.writeString(root.resolve("notes..txt"), "n");
        assertThat(read("notes..txt")).isEqualTo("n");
        assertThat(directory.list(WorkspacePath.ROOT)).hasSize(1);
    }

    @Test
    void namesInAnyScriptAreKept() throws IOException {
        directory.write(path("Ünï/日本 語.txt"), bytes("x"));
        assertThat(read("Ünï/日本 語.txt")).isEqualTo("x");
        assertThat(directory.list(path("Ünï")).getFirst().path()).isEqualTo(path("Ünï/日本 語.txt"));
    }

    @Test
    void aMissingPathIsReported() {
        assertThatThrownBy(() -> directory.open(path("no")))
                .isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> directory.open(path("no/no")))
                .isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> directory.stat(path("no")))
                .isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> directory.delete(path("no")))
                .isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void aNameTooLongForTheSystemIsRefused() {
        assertThatThrownBy(() -> directory.open(path("x".repeat(300))))
                .isInstanceOf(FileSystemException.class);
    }

    @Test
    void linksThatLeadOutAreNotOpened() throws IOException {
        Files.createSymbolicLink(root.resolve("dir"), foreign);
        Files.createSymbolicLink(root.resolve("file"), foreign.resolve("secret.txt"));
        Files.createSymbolicLink(root.resolve("up"), Path.of("../foreign/secret.txt"));
        Files.createSymbolicLink(root.resolve("magic"), Path.of("/proc/self/root"));
        for (String name : List.of("dir/secret.txt", "file", "up", "magic/etc/passwd")) {
            assertThatThrownBy(() -> directory.open(path(name)))
                    .as(name)
                    .isInstanceOf(UnsafePathException.class);
        }
        assertThatThrownBy(() -> directory.list(path("dir")))
                .isInstanceOf(UnsafePathException.class);
    }

    @Test
    void nothingIsWrittenOrDeletedThroughALinkThatLeadsOut() throws IOException {
        Files.createSymbolicLink(root.resolve("dir"), foreign);
        assertThatThrownBy(() -> directory.write(path("dir/new"), bytes("x")))
                .isInstanceOf(UnsafePathException.class);
        assertThatThrownBy(() -> directory.write(path("dir/sub/new"), bytes("x")))
                .isInstanceOf(UnsafePathException.class);
        assertThatThrownBy(() -> directory.createDirectories(path("dir/sub")))
                .isInstanceOf(UnsafePathException.class);
        assertThatThrownBy(() -> directory.delete(path("dir/secret.txt")))
                .isInstanceOf(UnsafePathException.class);
        directory.write(path("mine"), bytes("x"));
        assertThatThrownBy(() -> directory.rename(path("mine"), path("dir/mine")))
                .isInstanceOf(UnsafePathException.class);
        assertThat(foreign.toFile().list()).containsExactly("secret.txt");
    }

    @Test
    void writingOverALinkReplacesTheLink() throws IOException {
        Files.createSymbolicLink(root.resolve("file"), foreign.resolve("secret.txt"));
        directory.write(path("file"), bytes("mine"));
        assertThat(foreign.resolve("secret.txt")).hasContent("foreign");
        assertThat(Files.isSymbolicLink(root.resolve("file"))).isFalse();
        assertThat(read("file")).isEqualTo("mine");
    }

    @Test
    void fifosAndSocketsAreListedButNeverOpened() throws Exception {
        makeFifo(root.resolve("pipe"));
        assertThatThrownBy(() -> directory.open(path("pipe")))
                .isInstanceOf(IrregularFileException.class);
        assertThat(directory.list(WorkspacePath.ROOT).getFirst().stat().kind())
                .isEqualTo(FileStat.Kind.OTHER);
        directory.write(path("pipe"), bytes("now a file"));
        assertThat(read("pipe")).isEqualTo("now a file");
    }

    @Test
    void aDirectoryIsNotAFileAndAFileIsNotADirectory() throws IOException {
        directory.write(path("d/f"), bytes("x"));
        assertThatThrownBy(() -> directory.open(path("d")))
                .isInstanceOf(IrregularFileException.class);
        assertThatThrownBy(() -> directory.write(path("d"), bytes("x")))
                .isInstanceOf(IrregularFileException.class);
        assertThatThrownBy(() -> directory.list(path("d/f")))
                .isInstanceOf(NotDirectoryException.class);
    }

    @Test
    void anOverwrittenFileKeepsItsModeAndReadersTheOldContent() throws IOException {
        directory.write(path("run.sh"), bytes("old"));
        Files.setPosixFilePermissions(
                root.resolve("run.sh"), PosixFilePermissions.fromString("rwxr-xr-x"));
        try (OpenFile before = directory.open(path("run.sh"))) {
            directory.write(path("run.sh"), bytes("new"));
            assertThat(text(before)).isEqualTo("old");
        }
        assertThat(read("run.sh")).isEqualTo("new");
        assertThat(directory.stat(path("run.sh")).mode()).isEqualTo(0755);
    }

    @Test
    void aFileThatIsNotCommittedLeavesNothing() throws IOException {
        try (NewFile file = directory.create(path("half"))) {
            file.channel().write(ByteBuffer.wrap(bytes("half")));
        }
        assertThat(root.toFile().list()).isEmpty();
    }

    @Test
    void aNewFileBelongsToTheOwnerOfItsDirectory() throws IOException {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root gives files away");
        Files.setAttribute(root, "unix:uid", 12345);
        directory.write(path("a/b.txt"), bytes("x"));
        assertThat(Files.getAttribute(root.resolve("a"), "unix:uid")).isEqualTo(12345);
        assertThat(Files.getAttribute(root.resolve("a/b.txt"), "unix:uid")).isEqualTo(12345);
    }

    @Test
    void modeAndTimeAreSet() throws IOException {
        directory.write(new WorkspacePath("tool.sh"), new byte[0]);
        Instant time = Instant.parse("2001-02-03T04:05:06Z");

        directory.setAttributes(new WorkspacePath("tool.sh"), 0750, time);

        FileStat stat = directory.stat(new WorkspacePath("tool.sh"));
        assertThat(stat.mode()).isEqualTo(0750);
        assertThat(stat.modified()).isEqualTo(time);
    }

    @Test
    void renameMovesAndReplacesFiles() throws IOException {
        directory.write(path("a"), bytes("a"));
        directory.write(path("b"), bytes("b"));
        directory.rename(path("a"), path("b"));
        directory.rename(path("b"), path("deep/er/c"));
        assertThat(read("deep/er/c")).isEqualTo("a");
        assertThat(root.toFile().list()).containsExactly("deep");
    }

    @Test
    void deletingALinkLeavesItsTarget() throws IOException {
        Files.createSymbolicLink(root.resolve("link"), foreign);
        Files.createDirectory(root.resolve("empty"));
        directory.delete(path("link"));
        directory.delete(path("empty"));
        directory.write(path("t/u/v"), bytes("x"));
        Files.createSymbolicLink(root.resolve("t/link"), foreign);
        directory.deleteTree(path("t"));
        assertThat(root.toFile().list()).isEmpty();
        assertThat(foreign.resolve("secret.txt")).exists();
    }

    @Test
    void aWalkReturnsLinksAndDoesNotFollowThem() throws IOException {
        directory.write(path("a/b/c"), bytes("x"));
        directory.write(path("d"), bytes("x"));
        Files.createSymbolicLink(root.resolve("a/circle"), Path.of(".."));
        Files.createSymbolicLink(root.resolve("out"), foreign);
        assertThat(walk(WorkspacePath.ROOT))
                .containsExactly("a", "a/b", "a/b/c", "a/circle", "d", "out");
        assertThat(walk(path("a"))).containsExactly("a/b", "a/b/c", "a/circle");
    }

    @Test
    void aWalkSkipsADirectory() throws IOException {
        directory.write(path("a/b"), bytes("x"));
        directory.write(path("c"), bytes("x"));
        WorkspaceWalk walk = directory.walk(WorkspacePath.ROOT);
        assertThat(walk.next()).isNotNull();
        walk.skip();
        WorkspaceEntry second = walk.next();
        assertThat(second).isNotNull().extracting(e -> e.path().value()).isEqualTo("c");
    }

    @Test
    void aVisitHasTheEntriesOfAWalkInTheSameOrder() throws IOException {
        for (String name : List.of("a.txt", "a/b/c", "a/b/d/e", "a/z", "b", "c/d/e/f/g", "ä/é")) {
            directory.write(path(name), bytes(name));
        }
        Files.createSymbolicLink(root.resolve("a/circle"), Path.of(".."));
        assertThat(visit(_ -> true)).isEqualTo(walk(WorkspacePath.ROOT));
    }

    @Test
    void aVisitLeavesOutUnwantedEntries() throws IOException {
        directory.write(path("a/b/c"), bytes("x"));
        directory.write(path("d/e"), bytes("x"));
        assertThat(visit(entry -> !entry.path().name().equals("b")))
                .containsExactly("a", "d", "d/e");
    }

    @Test
    void concurrentVisitsSeeAllFilesFromBeforeTheirBegin() throws Exception {
        int visitors = 4;
        for (int i = 0; i < 20; i++) {
            directory.write(path("d" + i + "/f"), bytes("x"));
        }
        Queue<String> missed = new ConcurrentLinkedQueue<>();
        List<Thread> threads = new ArrayList<>();
        for (int visitor = 0; visitor < visitors; visitor++) {
            int own = visitor;
            threads.add(Thread.ofVirtual().start(() -> writeAndVisit(own, missed)));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(missed).isEmpty();
    }

    /** A visit that begins after a write must find the file. */
    private void writeAndVisit(int own, Queue<String> missed) {
        try {
            for (int i = 0; i < 50; i++) {
                String file = "d%d/by-%d-%d".formatted(i % 20, own, i);
                directory.write(path(file), bytes("x"));
                if (!visit(_ -> true).contains(file)) {
                    missed.add(file);
                }
            }
        } catch (IOException e) {
            missed.add(e.toString());
        }
    }

    private List<String> visit(Predicate<WorkspaceEntry> wanted) throws IOException {
        List<String> found = new ArrayList<>();
        directory.visit(wanted, entry -> found.add(entry.path().value()));
        return found;
    }

    @Test
    void aWalkReturnsAllOfTenThousandFiles() throws IOException {
        for (int i = 0; i < 100; i++) {
            Path sub = Files.createDirectory(root.resolve("d" + i));
            for (int j = 0; j < 100; j++) {
                Files.createFile(sub.resolve("f" + j));
            }
        }
        assertThat(walk(WorkspacePath.ROOT)).hasSize(10_100).doesNotHaveDuplicates();
    }

    @Test
    void aClosedDirectoryCannotOpenFiles() throws IOException {
        directory.write(path("a"), bytes("x"));
        directory.close();
        assertThatThrownBy(() -> directory.open(path("a")))
                .isInstanceOfAny(IOException.class, IllegalStateException.class);
    }

    @Test
    void aDirectoryThatIsSwappedForALinkNeverLeadsOut() throws Exception {
        int reads = 100_000;
        directory.write(path("swap/secret.txt"), bytes("own"));
        Files.createSymbolicLink(root.resolve("link"), foreign);
        AtomicBoolean done = new AtomicBoolean();
        AtomicInteger swaps = new AtomicInteger();
        Thread attacker = Thread.ofPlatform().start(() -> swap(done, swaps));
        int own = 0;
        try {
            ByteBuffer buffer = ByteBuffer.allocate(16);
            for (int i = 0; i < reads; i++) {
                try (OpenFile file = directory.open(path("swap/secret.txt"))) {
                    int length = file.channel().read(buffer.clear());
                    assertThat(new String(buffer.array(), 0, length, UTF_8)).isEqualTo("own");
                    own++;
                } catch (FileSystemException _) {
                    // the link was there, or nothing: both are refusals
                }
            }
        } finally {
            done.set(true);
            attacker.join();
        }
        assertThat(own).isPositive();
        assertThat(swaps.get()).isPositive();
        assertThat(own).as("some reads met the link").isLessThan(reads);
    }

    private void swap(AtomicBoolean done, AtomicInteger swaps) {
        File real = root.resolve("swap").toFile();
        File aside = root.resolve("aside").toFile();
        File link = root.resolve("link").toFile();
        while (!done.get()) {
            boolean swapped = real.renameTo(aside) && link.renameTo(real);
            boolean restored = real.renameTo(link) && aside.renameTo(real);
            if (swapped && restored) {
                swaps.incrementAndGet();
            }
        }
    }

    static void makeFifo(Path path) throws Exception {
        Process process = new ProcessBuilder("mkfifo", path.toString()).start();
        assertThat(process.waitFor()).isZero();
    }

    private List<String> walk(WorkspacePath start) throws IOException {
        List<String> found = new ArrayList<>();
        WorkspaceWalk walk = directory.walk(start);
        for (WorkspaceEntry e = walk.next(); e != null; e = walk.next()) {
            found.add(e.path().value());
        }
        return found;
    }

    private String read(String path) throws IOException {
        try (OpenFile file = directory.open(path(path))) {
            return text(file);
        }
    }

    private static String text(OpenFile file) throws IOException {
        byte[] all = Channels.newInputStream(file.channel()).readAllBytes();
        return new String(all, UTF_8);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private static WorkspacePath path(String value) {
        return new WorkspacePath(value);
    }
}
