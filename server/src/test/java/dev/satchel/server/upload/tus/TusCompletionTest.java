package dev.satchel.server.upload.tus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.http.security.Sha256;
import dev.satchel.server.access.AccessStore;
import dev.satchel.server.access.ApiKeys;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.MovableClock;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.bag.BagLimits;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.file.FileId;
import dev.satchel.server.objectstore.ListedObject;
import dev.satchel.server.objectstore.LocalObjectStore;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.objectstore.PendingDeletions;
import dev.satchel.server.objectstore.S3ObjectStore;
import dev.satchel.server.objectstore.S3ProxyProcess;
import dev.satchel.server.upload.UploadService;
import dev.satchel.server.upload.tus.FailingMoveStore.Moment;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How a resumable upload becomes a file: whole, in parts, twice at once, after a crash. */
class TusCompletionTest {
    private static final BagLimits LIMITS = new BagLimits(1 << 30, 10, 1 << 30);

    private final MovableClock clock = new MovableClock();
    private byte[] bytes = new byte[20 << 20];

    @TempDir Path folder;

    @BeforeEach
    void fill() {
        new Random(5).nextBytes(bytes);
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aSingleRequestIsMovedToItsKey(Dialect dialect) throws Exception {
        try (Database database = TestDatabases.fresh(dialect);
                ObjectStore objects = new LocalObjectStore(folder)) {
            FileId id = create(database, objects);
            append(database, objects, id, 0, bytes);

            requireFile(database, objects, id);
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void partsOfSeveralRequestsAreJoined(Dialect dialect) throws Exception {
        int[] ends = {1, 9 << 20, 10 << 20, bytes.length};
        try (Database database = TestDatabases.fresh(dialect);
                ObjectStore objects = new LocalObjectStore(folder)) {
            FileId id = create(database, objects);
            int begin = 0;
            for (int end : ends) {
                append(database, objects, id, begin, Arrays.copyOfRange(bytes, begin, end));
                begin = end;
            }

            requireFile(database, objects, id);
        }
    }

    @ParameterizedTest
    @EnumSource(Moment.class)
    void aCrashDuringTheMoveIsFinishedByTheNextRequest(Moment crash) throws Exception {
        try (Database database = TestDatabases.fresh(Dialect.SQLITE);
                ObjectStore objects = new LocalObjectStore(folder)) {
            FileId id = create(database, objects);
            ObjectStore dying = new FailingMoveStore(objects, crash);
            assertThatThrownBy(() -> append(database, dying, id, 0, bytes))
                    .isInstanceOf(IOException.class);

            requireFile(database, objects, id);
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void ofTwoRequestsAtOneOffsetOneIsStored(Dialect dialect) throws Exception {
        try (Database database = TestDatabases.fresh(dialect);
                ObjectStore objects = new LocalObjectStore(folder);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            FileId id = create(database, objects);
            CyclicBarrier together = new CyclicBarrier(2);
            List<Future<Boolean>> both = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                both.add(
                        threads.submit(
                                () -> {
                                    together.await();
                                    return won(database, objects, id);
                                }));
            }
            int won = (both.get(0).get() ? 1 : 0) + (both.get(1).get() ? 1 : 0);

            assertThat(won).isEqualTo(1);
            requireFile(database, objects, id);
        }
    }

    /** There every piece is an object of its own; a single one is still only moved. */
    @ParameterizedTest
    @ValueSource(ints = {1000, 20 << 20})
    void chunksAreStoredInABucketToo(int size, @TempDir Path buckets) throws Exception {
        bytes = Arrays.copyOf(bytes, size);
        try (S3ProxyProcess proxy = S3ProxyProcess.start(buckets);
                Database database = TestDatabases.fresh(Dialect.SQLITE);
                ObjectStore objects = new S3ObjectStore(proxy.newBucket())) {
            FileId id = create(database, objects);
            append(database, objects, id, 0, bytes);

            requireFile(database, objects, id);
        }
    }

    private boolean won(Database database, ObjectStore objects, FileId id) throws IOException {
        try {
            append(database, objects, id, 0, bytes);
            return true;
        } catch (SatchelException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.CONFLICT);
            return false;
        }
    }

    private void requireFile(Database database, ObjectStore objects, FileId id) throws Exception {
        TusUpload whole = uploads(database, objects).get(Caller.owner(TenantId.DEFAULT), id);
        assertThat(whole.arrived()).isTrue();
        assertThat(whole.upload().file().size()).isEqualTo(bytes.length);
        assertThat(whole.upload().file().mimeType()).isEqualTo("application/octet-stream");
        assertThat(whole.upload().file().sha256()).isEqualTo(Sha256.hex(bytes));
        try (InputStream content = objects.open(whole.upload().file().key());
                Stream<ListedObject> stored = objects.list("")) {
            assertThat(content.readAllBytes()).isEqualTo(bytes);
            assertThat(stored.map(ListedObject::key)).containsExactly(whole.upload().file().key());
        }
    }

    private FileId create(Database database, ObjectStore objects) throws IOException {
        new ApiKeys(database, new AccessStore(), clock)
                .create(TenantId.DEFAULT, "makes the tenant");
        return uploads(database, objects)
                .create(Caller.owner(TenantId.DEFAULT), Optional.empty(), "a.bin", bytes.length)
                .upload()
                .id();
    }

    private void append(Database database, ObjectStore objects, FileId id, long offset, byte[] part)
            throws IOException {
        TusUpload _ =
                uploads(database, objects)
                        .append(
                                Caller.owner(TenantId.DEFAULT),
                                id,
                                offset,
                                new ByteArrayInputStream(part),
                                null);
    }

    private TusService uploads(Database database, ObjectStore objects) {
        PendingDeletions erasures = new PendingDeletions(database, objects, clock);
        return new TusService(
                new UploadService(database, objects, erasures, LIMITS, Duration.ofHours(24), clock),
                erasures);
    }
}
