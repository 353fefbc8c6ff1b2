package dev.satchel.runner.bag;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.StreamDirectory;
import dev.satchel.filesystem.TemporaryNames;
import dev.satchel.filesystem.UnsafePathException;
import dev.satchel.filesystem.WorkspacePath;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BagUnpackerTest {
    private static final UnpackLimits SMALL = new UnpackLimits(5, 2_000_000, 100, 10_000, Map.of());

    @TempDir Path root;
    private SafeDirectory workspace;

    @BeforeEach
    void open() throws IOException {
        workspace = SafeDirectory.open(root);
    }

    @AfterEach
    void close() {
        workspace.close();
    }

    @Test
    void filesLieAtTheRootByName() throws IOException {
        Bag bag = new Bag().file("a.csv", "1,2").file("Ünï/b.txt", "b").directory("empty/");
        assertThat(unpack(bag).files())
                .extracting(WorkspacePath::value)
                .containsExactly("a.csv", "Ünï/b.txt");
        assertThat(root.resolve("a.csv")).hasContent("1,2");
        assertThat(root.resolve("Ünï/b.txt")).hasContent("b");
        assertThat(root.toFile().list()).containsExactlyInAnyOrder("a.csv", "Ünï");
    }

    @Test
    void anEmptyBagIsFine() throws IOException {
        assertThat(unpack(new Bag()).files()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "../evil",
                "a/../../evil",
                "/evil",
                "a//b",
                "./a",
                "a\\b",
                "a\nb",
                "a/../b",
                "."
            })
    void aNameThatIsNoPlainPathIsRefused(String name) throws IOException {
        refused(new Bag().file("good", "x").file(name, "x"), "illegal name");
    }

    @Test
    void aNameTooLongIsRefused() throws IOException {
        refused(new Bag().file("ü".repeat(128), "x"), "illegal name");
    }

    @Test
    void nothingIsWrittenThroughALinkThatLeadsOut(@TempDir Path foreign) throws IOException {
        Files.createSymbolicLink(root.resolve("dir"), foreign);
        assertThatThrownBy(() -> unpack(new Bag().file("a", "x").file("dir/evil", "x")))
                .isInstanceOf(UnsafePathException.class);
        assertThat(foreign.toFile().list()).isEmpty();
        assertThat(root.toFile().list()).containsExactly("dir");
    }

    @Test
    void aLinkInTheWayIsReplacedNotFollowed(@TempDir Path foreign) throws IOException {
        Path secret = Files.writeString(foreign.resolve("secret"), "s");
        Files.createSymbolicLink(root.resolve("a"), secret);
        unpack(new Bag().file("a", "mine"));
        assertThat(secret).hasContent("s");
        assertThat(Files.isSymbolicLink(root.resolve("a"))).isFalse();
    }

    @Test
    void anEntryThatClaimsToBeALinkIsAPlainFile() throws IOException {
        byte[] zip = new Bag().file("link", "/etc/passwd").bytes();
        int central = new String(zip, ISO_8859_1).indexOf("PK\u0001\u0002");
        zip[central + 5] = 3; // made on Unix
        zip[central + 40] = (byte) 0xff;
        zip[central + 41] = (byte) 0xa1; // S_IFLK | 0777
        new BagUnpacker(SMALL).unpack(new ByteArrayInputStream(zip), workspace);
        assertThat(Files.isSymbolicLink(root.resolve("link"))).isFalse();
        assertThat(root.resolve("link")).hasContent("/etc/passwd");
    }

    @Test
    void aBagIsUnpackedWithoutTheKernelsHelpToo() throws IOException {
        Files.writeString(root.resolve("a"), "old");
        byte[] zip = new Bag().file("a", "new").file("b/c/d", "x").bytes();
        try (SafeDirectory plain = StreamDirectory.open(root)) {
            new BagUnpacker(SMALL).unpack(new ByteArrayInputStream(zip), plain);
        }
        assertThat(root.resolve("a")).hasContent("new");
        assertThat(root.resolve("b/c/d")).hasContent("x");
        assertThat(root.toFile().list()).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void aBombIsRefusedByItsRatio() throws IOException {
        refused(new Bag().file("good", "x").file("bomb", "0".repeat(1_000_000)), "times its size");
    }

    @Test
    void aBagWithTooManyBytesIsRefused() throws IOException {
        BagUnpacker unpacker = new BagUnpacker(new UnpackLimits(5, 1000, 100, 1_000_000, Map.of()));
        byte[] zip = new Bag().file("a", "x".repeat(600)).file("b", "x".repeat(600)).bytes();
        assertThatThrownBy(() -> unpacker.unpack(new ByteArrayInputStream(zip), workspace))
                .isInstanceOf(BagRefusedException.class)
                .hasMessageContaining("1000 bytes");
        assertThat(root.toFile().list()).isEmpty();
    }

    @Test
    void tooManyEntriesAreRefused() throws IOException {
        Bag bag = new Bag();
        for (int i = 0; i < 6; i++) {
            bag.file("f" + i, "");
        }
        refused(bag, "more than 5 entries");
    }

    @Test
    void aNameThatComesTwiceIsRefused() throws IOException {
        Bag bag = new Bag().file("first", "1").file("secnd", "2");
        byte[] zip =
                new String(bag.bytes(), ISO_8859_1).replace("secnd", "first").getBytes(ISO_8859_1);
        refused(zip, "twice");
    }

    @Test
    void aNameThatIsFileAndDirectoryIsRefused() throws IOException {
        refused(new Bag().file("a", "x").file("a/b", "x"), "as a file and as a directory");
        refused(new Bag().file("a/b", "x").file("a", "x"), "as a file and as a directory");
    }

    @Test
    void whatIsNoZipIsRefused() throws IOException {
        refused("<html>502</html>".repeat(10).getBytes(UTF_8), "incomplete");
        refused(new byte[0], "incomplete");
    }

    @Test
    void aTruncatedBagIsRefusedWhereverItEnds() throws IOException {
        byte[] zip = new Bag().file("a", "hello").file("b", "world").bytes();
        for (int length = 0; length < zip.length - 22; length++) {
            refused(Arrays.copyOf(zip, length), "zip");
        }
    }

    @Test
    void aFlippedByteIsNoticed() throws IOException {
        byte[] zip = new Bag().stored("a", "hello world").bytes();
        zip[35] ^= 1;
        refused(zip, "damaged");
    }

    @Test
    void aFileWithTheSameContentIsLeftAlone() throws IOException {
        FileTime before = FileTime.fromMillis(1_000_000_000_000L);
        Files.writeString(root.resolve("same"), "same");
        Files.writeString(root.resolve("changed"), "old!");
        Files.setLastModifiedTime(root.resolve("same"), before);
        Files.setLastModifiedTime(root.resolve("changed"), before);
        unpack(new Bag().file("same", "same").file("changed", "new!"));
        assertThat(Files.getLastModifiedTime(root.resolve("same"))).isEqualTo(before);
        assertThat(Files.getLastModifiedTime(root.resolve("changed"))).isNotEqualTo(before);
        assertThat(root.resolve("changed")).hasContent("new!");
    }

    @Test
    void whenOneDirectoryFindsNoPlaceAllGoBack() throws IOException {
        Files.writeString(root.resolve("a"), "old");
        Files.writeString(root.resolve("z"), "a file");
        assertThatThrownBy(
                        () ->
                                unpack(
                                        new Bag()
                                                .file("a", "new")
                                                .file("b/c/d", "new")
                                                .file("z/x/f", "f")))
                .isInstanceOf(BagRefusedException.class)
                .hasMessageContaining("has a file where the bag has a directory");
        assertThat(root.resolve("a")).hasContent("old");
        assertThat(root.toFile().list()).containsExactlyInAnyOrder("a", "z");
    }

    @Test
    void aFileWhosePlaceADirectoryHasIsSkippedAlone() throws IOException {
        Files.createDirectories(root.resolve("hello/full"));
        BagUnpacker.Unpacked unpacked =
                unpack(new Bag().file("a", "new").file("hello", "f").file("z", "new"));
        assertThat(unpacked.skipped()).containsExactly(new WorkspacePath("hello"));
        assertThat(unpacked.files())
                .containsExactly(new WorkspacePath("a"), new WorkspacePath("z"));
        assertThat(root.resolve("hello/full")).isDirectory();
        assertThat(root.toFile().list()).containsExactlyInAnyOrder("a", "hello", "z");
    }

    @ParameterizedTest
    @ValueSource(strings = {"assets", "staged", ".satchel-x"})
    void aFileWithANameTheWorkspaceNeedsIsSkippedAlone(String name) throws IOException {
        assertThat(unpack(new Bag().file(name, "f").file("a", "new")).skipped())
                .containsExactly(new WorkspacePath(name));
        assertThat(root.toFile().list()).containsExactly("a");
    }

    @Test
    void aLargeFileOfZerosThatWasAnnouncedIsUnpacked() throws IOException {
        int size = 80 << 20;
        BagUnpacker unpacker =
                new BagUnpacker(UnpackLimits.announced(Map.of("zeros", (long) size)));
        byte[] zip = new Bag().zeros("zeros", size).bytes();
        assertThat(size / zip.length).isGreaterThan(200);
        unpacker.unpack(new ByteArrayInputStream(zip), workspace);
        assertThat(root.resolve("zeros")).hasSize(size);
    }

    @Test
    void moreThanWasAnnouncedIsRefused() throws IOException {
        BagUnpacker unpacker = new BagUnpacker(UnpackLimits.announced(Map.of("a", 2L, "b", 9L)));
        byte[] larger = new Bag().file("a", "xxx").file("b", "x").bytes();
        assertThatThrownBy(() -> unpacker.unpack(new ByteArrayInputStream(larger), workspace))
                .isInstanceOf(BagRefusedException.class)
                .hasMessageContaining("a has over 2 bytes");
        byte[] more = new Bag().file("a", "x").file("b", "x").file("c", "x").bytes();
        assertThatThrownBy(() -> unpacker.unpack(new ByteArrayInputStream(more), workspace))
                .isInstanceOf(BagRefusedException.class)
                .hasMessageContaining("more than 2 entries");
        assertThat(root.toFile().list()).isEmpty();
    }

    @Test
    void whatAKilledUnpackLeftIsRemoved() throws IOException {
        workspace.write(new WorkspacePath(TemporaryNames.next() + "/new/a"), new byte[1]);
        unpack(new Bag().file("a", "x"));
        assertThat(root.toFile().list()).containsExactly("a");
    }

    private BagUnpacker.Unpacked unpack(Bag bag) throws IOException {
        return new BagUnpacker(SMALL).unpack(new ByteArrayInputStream(bag.bytes()), workspace);
    }

    private void refused(Bag bag, String reason) throws IOException {
        refused(bag.bytes(), reason);
    }

    private void refused(byte[] zip, String reason) {
        assertThatThrownBy(
                        () ->
                                new BagUnpacker(SMALL)
                                        .unpack(new ByteArrayInputStream(zip), workspace))
                .isInstanceOf(BagRefusedException.class)
                .hasMessageContaining(reason);
        assertThat(root.toFile().list()).isEmpty();
    }

    private static final class Bag {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final ZipOutputStream zip = new ZipOutputStream(bytes);

        Bag file(String name, String content) throws IOException {
            return add(new ZipEntry(name), content);
        }

        Bag directory(String name) throws IOException {
            return add(new ZipEntry(name), "");
        }

        Bag stored(String name, String content) throws IOException {
            ZipEntry entry = new ZipEntry(name);
            CRC32 crc = new CRC32();
            crc.update(content.getBytes(UTF_8));
            entry.setMethod(ZipEntry.STORED);
            entry.setSize(content.length());
            entry.setCrc(crc.getValue());
            return add(entry, content);
        }

        /** With the fastest compression, as the server writes it. */
        Bag zeros(String name, int size) throws IOException {
            zip.setLevel(Deflater.BEST_SPEED);
            zip.putNextEntry(new ZipEntry(name));
            zip.write(new byte[size]);
            zip.closeEntry();
            return this;
        }

        private Bag add(ZipEntry entry, String content) throws IOException {
            zip.putNextEntry(entry);
            zip.write(content.getBytes(UTF_8));
            zip.closeEntry();
            return this;
        }

        byte[] bytes() throws IOException {
            zip.close();
            return bytes.toByteArray();
        }
    }
}
