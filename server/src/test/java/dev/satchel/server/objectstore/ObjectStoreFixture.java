package dev.satchel.server.objectstore;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.http.security.Sha256;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** An object store that is opened for each test, and short ways to write and read it. */
abstract class ObjectStoreFixture {
    protected ObjectStore store;

    abstract ObjectStore openStore() throws Exception;

    @BeforeEach
    void open() throws Exception {
        store = openStore();
    }

    @AfterEach
    void close() {
        store.close();
    }

    StoredObject put(ObjectKey key, String text) throws IOException {
        return store.put(key, new ByteArrayInputStream(text.getBytes(UTF_8)));
    }

    String text(ObjectKey key) throws IOException {
        return new String(read(key), UTF_8);
    }

    byte[] read(ObjectKey key) throws IOException {
        try (InputStream content = store.open(key)) {
            return content.readAllBytes();
        }
    }

    List<String> keys(String prefix) throws IOException {
        try (Stream<ListedObject> objects = store.list(prefix)) {
            return objects.map(object -> object.key().value()).toList();
        }
    }

    static InputStream failingAfter(int size) {
        return new SequenceInputStream(
                new ByteArrayInputStream(new byte[size]),
                new CallbackInputStream(
                        () -> {
                            throw new IOException("the sender went away");
                        }));
    }

    String range(ObjectKey key, long offset, long length) throws IOException {
        try (InputStream content = store.open(key, offset, length)) {
            return new String(content.readAllBytes(), UTF_8);
        }
    }

    static InputStream startingTogether(CyclicBarrier start, byte[] bytes) {
        return new SequenceInputStream(
                new CallbackInputStream(() -> await(start)), new ByteArrayInputStream(bytes));
    }

    static void await(CyclicBarrier barrier) throws IOException {
        try {
            barrier.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new IOException(e);
        }
    }

    static <T> List<T> atOnce(Callable<T> one, Callable<T> other) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<T> results = new ArrayList<>();
            for (Future<T> future : threads.invokeAll(List.of(one, other))) {
                results.add(future.get());
            }
            return results;
        }
    }

    static void assertMissing(Callable<?> call) {
        assertThatThrownBy(call::call).isInstanceOf(NoSuchObjectException.class);
    }

    static boolean doing(CallbackInputStream.Action action) throws IOException {
        action.run();
        return true;
    }

    static byte[] random(int size) {
        byte[] bytes = new byte[size];
        new Random(42).nextBytes(bytes);
        return bytes;
    }

    static byte[] filled(int value, int size) {
        byte[] bytes = new byte[size];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }

    static String sha256(byte[] bytes) throws Exception {
        return Sha256.hex(bytes);
    }
}
