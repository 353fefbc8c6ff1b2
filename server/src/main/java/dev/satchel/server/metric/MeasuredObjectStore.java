package dev.satchel.server.metric;

import dev.satchel.server.objectstore.AppendableObject;
import dev.satchel.server.objectstore.IntegrityProblem;
import dev.satchel.server.objectstore.ListedObject;
import dev.satchel.server.objectstore.NoSuchObjectException;
import dev.satchel.server.objectstore.ObjectKey;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.objectstore.StoredObject;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Counts and times the operations of a store, and those that fail. A missing object is an answer,
 * not a failure of the store. The reading of a stream that was opened is not measured.
 */
public final class MeasuredObjectStore implements ObjectStore {
    private final ObjectStore objects;
    private final MeterRegistry registry;
    private final Counter failures;

    public MeasuredObjectStore(ObjectStore objects, MeterRegistry registry) {
        this.objects = objects;
        this.registry = registry;
        this.failures =
                Counter.builder("satchel.objectstore.failures")
                        .description("Operations of the object store that have failed")
                        .register(registry);
    }

    @FunctionalInterface
    private interface Operation<T> {
        T run() throws IOException;
    }

    private <T> T measure(String operation, Operation<T> work) throws IOException {
        long start = System.nanoTime();
        String outcome = "failed";
        try {
            T result = work.run();
            outcome = "succeeded";
            return result;
        } catch (NoSuchObjectException e) {
            outcome = "missing";
            throw e;
        } catch (IOException | RuntimeException e) {
            failures.increment();
            throw e;
        } finally {
            Timer.builder("satchel.objectstore.operation")
                    .description("Time of the operations of the object store, by outcome")
                    .tag("operation", operation)
                    .tag("outcome", outcome)
                    .register(registry)
                    .record(Duration.ofNanos(System.nanoTime() - start));
        }
    }

    @Override
    public StoredObject put(ObjectKey key, InputStream content) throws IOException {
        return measure("put", () -> objects.put(key, content));
    }

    @Override
    public void putAll(Map<ObjectKey, byte[]> contents) throws IOException {
        boolean _ =
                measure(
                        "put",
                        () -> {
                            objects.putAll(contents);
                            return true;
                        });
    }

    @Override
    public Optional<AppendableObject> createAppendable(ObjectKey key) throws IOException {
        return measure("append", () -> objects.createAppendable(key));
    }

    @Override
    public InputStream open(ObjectKey key) throws IOException {
        return measure("get", () -> objects.open(key));
    }

    @Override
    public InputStream open(ObjectKey key, long offset, long length) throws IOException {
        return measure("get", () -> objects.open(key, offset, length));
    }

    @Override
    public Optional<FileChannel> openFile(ObjectKey key) throws IOException {
        return measure("get", () -> objects.openFile(key));
    }

    @Override
    public Optional<IntegrityProblem> findProblem(ObjectKey key) throws IOException {
        return measure("check", () -> objects.findProblem(key));
    }

    @Override
    public OptionalLong size(ObjectKey key) throws IOException {
        return measure("check", () -> objects.size(key));
    }

    @Override
    public void copy(ObjectKey from, ObjectKey to) throws IOException {
        boolean _ =
                measure(
                        "copy",
                        () -> {
                            objects.copy(from, to);
                            return true;
                        });
    }

    @Override
    public void move(ObjectKey from, ObjectKey to) throws IOException {
        boolean _ =
                measure(
                        "move",
                        () -> {
                            objects.move(from, to);
                            return true;
                        });
    }

    @Override
    public void delete(ObjectKey key) throws IOException {
        boolean _ =
                measure(
                        "delete",
                        () -> {
                            objects.delete(key);
                            return true;
                        });
    }

    @Override
    public long deletePrefix(String prefix) throws IOException {
        return measure("delete", () -> objects.deletePrefix(prefix));
    }

    @Override
    public Stream<ListedObject> list(String prefix) throws IOException {
        return measure("list", () -> objects.list(prefix));
    }

    @Override
    public void close() {
        objects.close();
    }
}
