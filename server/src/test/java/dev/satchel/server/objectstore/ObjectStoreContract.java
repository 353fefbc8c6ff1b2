package dev.satchel.server.objectstore;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What every object store promises. */
abstract class ObjectStoreContract extends ObjectStoreFixture {
    private static final int MEBIBYTE = 1024 * 1024;

    @Test
    void manySmallObjectsAreStoredTogether() throws IOException {
        Map<ObjectKey, byte[]> objects = new LinkedHashMap<>();
        for (int i = 0; i < 20; i++) {
            objects.put(
                    ObjectKey.of("batch", String.valueOf(i % 2), i + ".txt"),
                    ("content " + i).getBytes(UTF_8));
        }
        store.putAll(objects);
        store.putAll(Map.of(ObjectKey.of("batch", "one"), new byte[0]));
        for (Map.Entry<ObjectKey, byte[]> object : objects.entrySet()) {
            try (InputStream content = store.open(object.getKey())) {
                assertThat(content.readAllBytes()).isEqualTo(object.getValue());
            }
        }
        assertThat(store.size(ObjectKey.of("batch", "one"))).hasValue(0);
    }

    @Test
    void whatIsPutIsReadBackWithItsSizeAndHash() throws Exception {
        ObjectKey key = ObjectKey.of("bag", "chat", "report.txt");

        StoredObject stored = put(key, "hello");

        assertThat(stored)
                .isEqualTo(
                        new StoredObject(
                                5,
                                "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"));
        assertThat(text(key)).isEqualTo("hello");
        assertThat(store.size(key)).hasValue(5);
    }

    @Test
    void anEmptyObjectIsAnObject() throws Exception {
        ObjectKey key = new ObjectKey("empty");

        assertThat(put(key, "").size()).isZero();

        assertThat(text(key)).isEmpty();
        assertThat(store.size(key)).hasValue(0);
        assertThat(range(key, 0, 10)).isEmpty();
        assertThat(keys("")).containsExactly("empty");
    }

    @Test
    void aPutReplacesWhatWasThere() throws Exception {
        ObjectKey key = new ObjectKey("a/b");
        put(key, "a longer first version");
        put(key, "second");

        assertThat(text(key)).isEqualTo("second");
        assertThat(keys("a/")).containsExactly("a/b");
    }

    @Test
    void aMissingObjectIsANoSuchObjectException() throws Exception {
        put(new ObjectKey("there/file"), "x");
        for (String name : List.of("missing", "there", "there/other")) {
            ObjectKey key = new ObjectKey(name);
            ObjectKey target = new ObjectKey("target");
            assertThat(store.size(key)).isEmpty();
            assertMissing(() -> store.open(key));
            assertMissing(() -> store.open(key, 0, 1));
            assertMissing(() -> store.open(key, 0, 0));
            assertMissing(() -> doing(() -> store.copy(key, target)));
            assertMissing(() -> doing(() -> store.move(key, target)));
            store.delete(key);
        }
        assertThat(keys("")).containsExactly("there/file");
    }

    @Test
    void aRangeIsReadToItsBordersAndNoFurther() throws Exception {
        ObjectKey key = new ObjectKey("digits");
        put(key, "0123456789");

        assertThat(range(key, 0, 1)).isEqualTo("0");
        assertThat(range(key, 0, 10)).isEqualTo("0123456789");
        assertThat(range(key, 3, 4)).isEqualTo("3456");
        assertThat(range(key, 9, 1)).isEqualTo("9");
        assertThat(range(key, 9, 5)).isEqualTo("9");
        assertThat(range(key, 10, 1)).isEmpty();
        assertThat(range(key, 11, Long.MAX_VALUE - 11)).isEmpty();
        assertThat(range(key, 5, 0)).isEmpty();
        assertThat(range(key, 0, Long.MAX_VALUE)).isEqualTo("0123456789");
        assertThatThrownBy(() -> store.open(key, -1, 5))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> store.open(key, 0, -1))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void anObjectOf30MegabytesArrivesWhole() throws Exception {
        ObjectKey key = new ObjectKey("large/object.bin");
        byte[] bytes = random(30 * MEBIBYTE + 17);

        StoredObject stored = store.put(key, new ByteArrayInputStream(bytes));

        assertThat(stored).isEqualTo(new StoredObject(bytes.length, sha256(bytes)));
        try (InputStream content = store.open(key)) {
            assertThat(Arrays.equals(content.readAllBytes(), bytes)).isTrue();
        }
        int border = 8 * MEBIBYTE - 3;
        try (InputStream content = store.open(key, border, 6)) {
            assertThat(content.readAllBytes())
                    .isEqualTo(Arrays.copyOfRange(bytes, border, border + 6));
        }
    }

    @Test
    void anInputThatFailsLeavesNothing() throws Exception {
        ObjectKey key = new ObjectKey("broken/upload");
        for (int size : List.of(0, 1000, 20 * MEBIBYTE)) {
            assertThatThrownBy(() -> store.put(key, failingAfter(size)))
                    .isInstanceOf(IOException.class)
                    .hasMessage("the sender went away");
        }
        assertThat(store.size(key)).isEmpty();
        assertThat(keys("")).isEmpty();
    }

    @Test
    void anInputThatFailsLeavesTheOldVersion() throws Exception {
        ObjectKey key = new ObjectKey("kept");
        put(key, "old");

        assertThatThrownBy(() -> store.put(key, failingAfter(20 * MEBIBYTE)))
                .isInstanceOf(IOException.class);

        assertThat(text(key)).isEqualTo("old");
    }

    @Test
    void anInterruptedPutLeavesNothingAndKeepsTheInterrupt() throws Exception {
        ObjectKey key = new ObjectKey("interrupted");
        InputStream content =
                new SequenceInputStream(
                        new ByteArrayInputStream(new byte[9 * MEBIBYTE]),
                        new CallbackInputStream(() -> Thread.currentThread().interrupt()));

        assertThatThrownBy(() -> store.put(key, content)).isInstanceOf(IOException.class);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(keys("")).isEmpty();
    }

    @Test
    void oneOfTwoPutsAtOnceWinsWhole() throws Exception {
        ObjectKey key = new ObjectKey("contested/name");
        byte[] ones = filled(1, 9 * MEBIBYTE);
        byte[] twos = filled(2, 3 * MEBIBYTE);
        CyclicBarrier start = new CyclicBarrier(2);

        List<StoredObject> stored =
                atOnce(
                        () -> store.put(key, startingTogether(start, ones)),
                        () -> store.put(key, startingTogether(start, twos)));

        try (InputStream content = store.open(key)) {
            byte[] winner = content.readAllBytes();
            assertThat(Arrays.equals(winner, ones) || Arrays.equals(winner, twos)).isTrue();
            assertThat(stored).contains(new StoredObject(winner.length, sha256(winner)));
        }
    }

    @Test
    void aReaderSeesTheWholeOldOrTheWholeNewVersion() throws Exception {
        ObjectKey key = new ObjectKey("replaced");
        byte[] old = filled(1, MEBIBYTE);
        byte[] fresh = filled(2, MEBIBYTE + 5);
        store.put(key, new ByteArrayInputStream(old));
        CyclicBarrier start = new CyclicBarrier(2);

        List<Boolean> whole =
                atOnce(
                        () -> {
                            start.await();
                            for (int i = 0; i < 10; i++) {
                                store.put(key, new ByteArrayInputStream(i % 2 == 0 ? fresh : old));
                            }
                            return true;
                        },
                        () -> {
                            start.await();
                            boolean good = true;
                            for (int i = 0; i < 20; i++) {
                                byte[] seen = read(key);
                                good &= Arrays.equals(seen, old) || Arrays.equals(seen, fresh);
                            }
                            return good;
                        });

        assertThat(whole).containsOnly(true);
    }

    @Test
    void aReaderMayStopEarly() throws Exception {
        ObjectKey key = new ObjectKey("long");
        store.put(key, new ByteArrayInputStream(filled(7, 5 * MEBIBYTE)));
        for (int i = 0; i < 5; i++) {
            try (InputStream content = store.open(key)) {
                assertThat(content.read()).isEqualTo(7);
            }
        }
        assertThat(read(key)).hasSize(5 * MEBIBYTE);
    }

    @Test
    void strangeAndLongNamesAreKept() throws Exception {
        List<String> names =
                List.of(
                        "Ünïcödé/报告 – 最终版.pdf",
                        "emoji/👩‍👩‍👧 family.txt",
                        "nfc/\u00e9",
                        "nfd/e\u0301",
                        "percent/100%25 %2F%tmp%+",
                        "signs/a+b&c=d?e#f;g:h@i!$'()*,~[]{}|^`\"<>",
                        "back/slash\\..\\up",
                        "dots/...", // neither . nor ..
                        "hidden/.profile",
                        "space/ lead and trail ",
                        "long/" + "n".repeat(200) + ".txt",
                        "deep/" + "d/".repeat(200) + "leaf");
        for (String name : names) {
            put(new ObjectKey(name), name);
        }
        for (String name : names) {
            assertThat(text(new ObjectKey(name))).isEqualTo(name);
        }
        assertThat(keys("")).containsExactlyInAnyOrderElementsOf(names);
        assertThat(store.deletePrefix("Ünïcödé/")).isEqualTo(1);
        assertThat(store.deletePrefix("signs/")).isEqualTo(1);
        assertThat(keys("")).hasSize(names.size() - 2);
    }

    @Test
    void aCopyIsAnObjectOfItsOwn() throws Exception {
        ObjectKey from = new ObjectKey("from/ä b+c");
        ObjectKey to = new ObjectKey("to/d");
        put(from, "content");
        put(to, "in the way");

        store.copy(from, to);
        store.delete(from);

        assertThat(text(to)).isEqualTo("content");
        assertThat(keys("")).containsExactly("to/d");
    }

    @Test
    void aMoveLeavesNothingBehind() throws Exception {
        put(new ObjectKey("temp/uploaded/x"), "content");
        put(new ObjectKey("bag/x"), "in the way");

        store.move(new ObjectKey("temp/uploaded/x"), new ObjectKey("bag/x"));

        assertThat(text(new ObjectKey("bag/x"))).isEqualTo("content");
        assertThat(keys("")).containsExactly("bag/x");
    }

    @Test
    void aMoveOrCopyOntoItselfChangesNothing() throws Exception {
        ObjectKey key = new ObjectKey("a/b");
        put(key, "content");

        store.move(key, key);
        store.copy(key, key);

        assertThat(text(key)).isEqualTo("content");
    }

    @Test
    void deletingTwiceIsNoFailure() throws Exception {
        ObjectKey key = new ObjectKey("a/b/c");
        put(key, "x");

        store.delete(key);
        store.delete(key);

        assertThat(store.size(key)).isEmpty();
        assertThat(keys("")).isEmpty();
    }

    @Test
    void deletingAPrefixSparesItsSiblings() throws Exception {
        for (String name : List.of("a/b/1", "a/b/2", "a/b/c/d/3", "a/bc/4", "a/b.txt", "b/5")) {
            put(new ObjectKey(name), name);
        }

        assertThat(store.deletePrefix("a/b/")).isEqualTo(3);

        assertThat(keys("")).containsExactlyInAnyOrder("a/bc/4", "a/b.txt", "b/5");
        assertThat(store.deletePrefix("a/b/")).isZero();
        assertThat(store.deletePrefix("nothing/here/")).isZero();
    }

    @Test
    void anAmbiguousPrefixIsRefused() {
        for (String prefix : List.of("", "/", "a", "a/../", "../", "/a/", "a//")) {
            assertThatThrownBy(() -> store.deletePrefix(prefix))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> store.list("a")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aListingHasSizeAndTime() throws Exception {
        Instant before = Instant.now().minusSeconds(2); // some stores keep whole seconds
        put(new ObjectKey("a/1"), "one");
        put(new ObjectKey("a/2/3"), "three");
        put(new ObjectKey("ab"), "no");

        try (Stream<ListedObject> objects = store.list("a/")) {
            assertThat(objects)
                    .allSatisfy(o -> assertThat(o.modified()).isAfter(before))
                    .extracting(o -> o.key() + " " + o.size())
                    .containsExactlyInAnyOrder("a/1 3", "a/2/3 5");
        }
        assertThat(keys("none/")).isEmpty();
    }

    @Test
    void puttingAndDeletingInOneDirectoryDoNotDisturbEachOther() throws Exception {
        CyclicBarrier start = new CyclicBarrier(2);
        Callable<Integer> work =
                () -> {
                    start.await();
                    ObjectKey own = new ObjectKey("busy/dir/" + Thread.currentThread().threadId());
                    int whole = 0;
                    for (int i = 0; i < 20; i++) {
                        put(own, "content");
                        whole += text(own).equals("content") ? 1 : 0;
                        store.delete(own);
                    }
                    return whole;
                };

        assertThat(atOnce(work, work)).containsExactly(20, 20);
        assertThat(keys("")).isEmpty();
    }
}
