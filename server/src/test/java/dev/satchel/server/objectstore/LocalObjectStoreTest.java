package dev.satchel.server.objectstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalObjectStoreTest extends ObjectStoreContract {
    @TempDir private Path directory;

    @Override
    ObjectStore openStore() throws IOException {
        return new LocalObjectStore(root());
    }

    @Test
    void anOperatorFindsAnObjectByItsKey() throws Exception {
        put(new ObjectKey("assistant-chat-bag/default/42/report v2.pdf"), "content");

        assertThat(root().resolve("assistant-chat-bag/default/42/report v2.pdf"))
                .hasContent("content");
    }

    @Test
    void anObjectIsAFileThatTheKernelCanSend() throws Exception {
        ObjectKey key = new ObjectKey("a/b");
        put(key, "content");

        try (FileChannel file = store.openFile(key).orElseThrow()) {
            assertThat(file.size()).isEqualTo(7);
        }
        assertThatThrownBy(() -> store.openFile(new ObjectKey("a/c")))
                .isInstanceOf(NoSuchObjectException.class);
    }

    @Test
    void anAppendableObjectIsReadableAsFarAsItIsWritten() throws Exception {
        ObjectKey key = new ObjectKey("a/growing");
        byte[] bytes = new byte[20 << 20]; // enough to be carried to the disk early
        new Random(3).nextBytes(bytes);
        try (AppendableObject growing = store.createAppendable(key).orElseThrow()) {
            growing.write(bytes, 0, 5);
            growing.flush();
            assertThat(read(key)).isEqualTo(Arrays.copyOf(bytes, 5));
            for (int at = 5; at < bytes.length; at += 1 << 20) {
                growing.write(bytes, at, Math.min(1 << 20, bytes.length - at));
            }
            assertThat(growing.sha256()).isEqualTo(put(new ObjectKey("a/whole"), bytes).sha256());
        }

        store.move(key, new ObjectKey("b/place"));
        assertThat(read(new ObjectKey("b/place"))).isEqualTo(bytes);
    }

    @Test
    void anAppendableObjectSurvivesARestart() throws Exception {
        ObjectKey key = new ObjectKey("a/growing");
        try (AppendableObject growing = store.createAppendable(key).orElseThrow()) {
            growing.write(new byte[] {1, 2, 3}, 0, 3);
            growing.flush();
            try (ObjectStore next = openStore()) { // clears what was half-written
                assertThat(next.size(key)).hasValue(3);
            }
        }
    }

    private StoredObject put(ObjectKey key, byte[] bytes) throws IOException {
        return store.put(key, new ByteArrayInputStream(bytes));
    }

    @Test
    void aSegmentLongerThanAFileNameMayBeIsKept() throws Exception {
        String longName = "报".repeat(250) + ".txt";
        String longer = "报".repeat(250) + ".txt.gz";
        String longDirectory = "x".repeat(500);
        for (String name : List.of(longName, longer, longDirectory + "/a", "%".repeat(1024))) {
            put(new ObjectKey(name), name);
        }
        for (String name : List.of(longName, longer, longDirectory + "/a", "%".repeat(1024))) {
            assertThat(text(new ObjectKey(name))).isEqualTo(name);
        }
        assertThat(keys(""))
                .containsExactlyInAnyOrder(
                        longName, longer, longDirectory + "/a", "%".repeat(1024));
        assertThat(keys("x".repeat(240) + "/")).isEmpty();
        assertThat(store.deletePrefix(longDirectory + "/")).isEqualTo(1);
    }

    @Test
    void aStartDeletesTemporaryFilesOfACrash() throws Exception {
        Path leftover = Files.writeString(root().resolve("%tmp/half"), "half");

        openStore().close();

        assertThat(leftover).doesNotExist();
    }

    @Test
    void aStartKeepsFilesThatAreBeingWritten() throws Exception {
        store.put(new ObjectKey("written"), new CallbackInputStream(() -> openStore().close()));

        assertThat(store.size(new ObjectKey("written"))).hasValue(0);
    }

    @Test
    void nothingIsLeftOnDiskOfWhatWasDeletedOrFailed() throws Exception {
        put(new ObjectKey("a/b/c/1"), "x");
        put(new ObjectKey("d/e/2"), "x");
        put(new ObjectKey("f/g/3"), "x");
        assertThatThrownBy(() -> store.put(new ObjectKey("h/4"), failingAfter(1000)))
                .isInstanceOf(IOException.class);

        store.delete(new ObjectKey("a/b/c/1"));
        store.deletePrefix("d/");
        store.move(new ObjectKey("f/g/3"), new ObjectKey("left"));
        assertThatThrownBy(() -> store.move(new ObjectKey("f/g/3"), new ObjectKey("i/j/k")))
                .isInstanceOf(NoSuchObjectException.class);

        assertThat(filesBeneath(root())).containsExactlyInAnyOrder("", "%tmp", "left");
    }

    @Test
    void aLinkIsNeverFollowed() throws Exception {
        Path outside = Files.createDirectory(directory.resolve("outside"));
        Path secret = Files.writeString(outside.resolve("secret"), "secret");
        Files.createSymbolicLink(root().resolve("dir"), outside);
        Files.createDirectory(root().resolve("own"));
        Files.createSymbolicLink(root().resolve("own/file"), secret);
        Files.createSymbolicLink(root().resolve("own/dir"), outside);

        for (String name : List.of("dir/secret", "own/file", "own/dir/secret")) {
            ObjectKey key = new ObjectKey(name);
            assertThat(store.size(key)).isEmpty();
            assertThatThrownBy(() -> store.open(key)).isInstanceOf(NoSuchObjectException.class);
            store.delete(key);
        }
        assertThatThrownBy(() -> put(new ObjectKey("dir/new"), "x"))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> put(new ObjectKey("own/dir/deep/new"), "x"))
                .isInstanceOf(IOException.class);
        assertThat(keys("")).isEmpty();
        assertThat(store.deletePrefix("own/")).isZero();
        assertThat(store.deletePrefix("dir/")).isZero();
        assertThat(filesBeneath(outside)).containsExactlyInAnyOrder("", "secret");
    }

    @Test
    void aPutOverALinkReplacesTheLinkAndNotWhatItPointsAt() throws Exception {
        Path outside = Files.writeString(directory.resolve("outside"), "outside");
        Files.createSymbolicLink(root().resolve("link"), outside);

        put(new ObjectKey("link"), "ours");

        assertThat(text(new ObjectKey("link"))).isEqualTo("ours");
        assertThat(outside).hasContent("outside");
    }

    @Test
    void anObjectHasNoObjectsBelowIt() throws Exception {
        put(new ObjectKey("a/b"), "object");

        assertThatThrownBy(() -> put(new ObjectKey("a/b/c"), "x")).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> put(new ObjectKey("a"), "x")).isInstanceOf(IOException.class);

        ObjectKey beneath = new ObjectKey("a/b/c");
        assertThatThrownBy(() -> store.open(beneath)).isInstanceOf(NoSuchObjectException.class);
        store.delete(beneath);
        assertThat(keys("")).containsExactly("a/b");
        assertThat(filesBeneath(root().resolve("%tmp"))).containsExactly("");
    }

    @Test
    void aMovedObjectCountsAsNew() throws Exception {
        put(new ObjectKey("old"), "x");
        Files.setLastModifiedTime(root().resolve("old"), FileTime.from(Instant.EPOCH));

        store.move(new ObjectKey("old"), new ObjectKey("claimed"));

        try (Stream<ListedObject> objects = store.list("")) {
            assertThat(objects.toList().getFirst().modified()).isAfter(Instant.EPOCH);
        }
    }

    @Test
    void filesThatAreNoObjectsAreNotListed() throws Exception {
        Files.writeString(root().resolve("%zz"), "foreign");
        Files.writeString(root().resolve("%41"), "an unnecessarily encoded A");
        put(new ObjectKey("own"), "x");

        assertThat(keys("")).containsExactly("own");
    }

    @Test
    void aRootThatIsALinkIsTheDirectoryItPointsAt() throws Exception {
        Path link = Files.createSymbolicLink(directory.resolve("link"), root());
        put(new ObjectKey("a"), "x");
        try (ObjectStore linked = new LocalObjectStore(link)) {
            assertThat(linked.size(new ObjectKey("a"))).hasValue(1);
        }
    }

    private Path root() {
        return directory.resolve("store");
    }

    private static List<String> filesBeneath(Path top) throws IOException {
        try (Stream<Path> files = Files.walk(top)) {
            return files.map(path -> top.relativize(path).toString()).toList();
        }
    }
}
