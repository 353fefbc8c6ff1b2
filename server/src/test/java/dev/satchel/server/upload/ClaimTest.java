package dev.satchel.server.upload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.http.SatchelException;
import dev.satchel.server.access.AccessStore;
import dev.satchel.server.access.ApiKeys;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.MovableClock;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.audit.AuditEvent;
import dev.satchel.server.audit.AuditStore;
import dev.satchel.server.bag.BagFile;
import dev.satchel.server.bag.BagId;
import dev.satchel.server.bag.BagImport;
import dev.satchel.server.bag.BagLimits;
import dev.satchel.server.bag.BagService;
import dev.satchel.server.bag.BagStore;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.conversation.RunConversationStore;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.file.FileId;
import dev.satchel.server.objectstore.ListedObject;
import dev.satchel.server.objectstore.LocalObjectStore;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.objectstore.PendingDeletions;
import dev.satchel.server.upload.tus.FailingMoveStore;
import dev.satchel.server.upload.tus.FailingMoveStore.Moment;
import dev.satchel.server.upload.tus.TusService;
import dev.satchel.server.upload.tus.TusUpload;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Interrupted claims, and uploads that are never claimed. */
class ClaimTest {
    private static final Duration MAX_AGE = Duration.ofHours(24);
    private static final BagLimits LIMITS = new BagLimits(1000, 10, 5000);

    private final MovableClock clock = new MovableClock();

    @TempDir private Path folder;

    @ParameterizedTest
    @EnumSource(Moment.class)
    void aCrashHalfWayIsFinishedAtTheNextStart(Moment crash) throws Exception {
        try (Database database = TestDatabases.fresh(Dialect.SQLITE);
                ObjectStore objects = new LocalObjectStore(folder)) {
            FileId file = upload(uploads(database, objects), "hello");
            UploadClaims dying = claims(database, new FailingMoveStore(objects, crash));
            assertThatThrownBy(() -> dying.intoNew(Caller.owner(TenantId.DEFAULT), List.of(file)))
                    .isInstanceOf(IOException.class);

            UploadClaims restarted = claims(database, objects);
            restarted.finish();
            ConversationId again = restarted.intoNew(Caller.owner(TenantId.DEFAULT), List.of(file));

            BagFile found = bagFile(database, again, file);
            try (InputStream content = objects.open(found.storageKey())) {
                assertThat(content.readAllBytes()).asString().isEqualTo("hello");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Moment.class)
    void theSameClaimAgainFinishesItToo(Moment crash) throws Exception {
        try (Database database = TestDatabases.fresh(Dialect.SQLITE);
                ObjectStore objects = new LocalObjectStore(folder)) {
            FileId file = upload(uploads(database, objects), "hello");
            UploadClaims dying = claims(database, new FailingMoveStore(objects, crash));
            assertThatThrownBy(() -> dying.intoNew(Caller.owner(TenantId.DEFAULT), List.of(file)))
                    .isInstanceOf(IOException.class);

            ConversationId again =
                    claims(database, objects)
                            .intoNew(Caller.owner(TenantId.DEFAULT), List.of(file));

            assertThat(bagFile(database, again, file).size()).isEqualTo(5);
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void ofManyClaimsAtOnceOneConversationGetsTheFile(Dialect dialect) throws Exception {
        try (Database database = TestDatabases.fresh(dialect);
                ObjectStore objects = new LocalObjectStore(folder)) {
            FileId file = upload(uploads(database, objects), "hello");
            UploadClaims claims = claims(database, objects);
            Set<ConversationId> owners = ConcurrentHashMap.newKeySet();
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int i = 0; i < 8; i++) {
                    Future<?> _ =
                            threads.submit(
                                    () ->
                                            owners.add(
                                                    claims.intoNew(
                                                            Caller.owner(TenantId.DEFAULT),
                                                            List.of(file))));
                }
            }

            assertThat(owners).hasSize(1); // the others joined it or were told to try again
            assertThat(bagFile(database, owners.iterator().next(), file).size()).isEqualTo(5);
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void anUnclaimedUploadIsDeletedAfterItsAge(Dialect dialect) throws Exception {
        try (Database database = TestDatabases.fresh(dialect);
                ObjectStore objects = new LocalObjectStore(folder)) {
            UploadService uploads = uploads(database, objects);
            FileId abandoned = upload(uploads, "hello");

            clock.advance(MAX_AGE);
            uploads.sweep();
            assertThat(exists(database, abandoned)).isTrue();

            clock.advance(Duration.ofMillis(1));
            uploads.sweep();
            assertThat(exists(database, abandoned)).isFalse();
            assertThat(objects.list("").toList()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void anUnfinishedResumableUploadIsDeletedWithItsChunks(Dialect dialect) throws Exception {
        try (Database database = TestDatabases.fresh(dialect);
                ObjectStore objects = new LocalObjectStore(folder)) {
            UploadService uploads = uploads(database, objects);
            TusService resumable =
                    new TusService(uploads, new PendingDeletions(database, objects, clock));
            TusUpload half =
                    resumable.create(Caller.owner(TenantId.DEFAULT), Optional.empty(), "a.txt", 10);
            FileId id = half.upload().id();
            InputStream some = new ByteArrayInputStream(new byte[4]);
            resumable.append(Caller.owner(TenantId.DEFAULT), id, 0, some, null);

            clock.advance(MAX_AGE);
            uploads.sweep();
            assertThat(resumable.get(Caller.owner(TenantId.DEFAULT), id).received()).isEqualTo(4);
            assertThat(stored(objects)).hasSize(1);

            clock.advance(Duration.ofMillis(1));
            uploads.sweep();
            assertThatThrownBy(() -> resumable.get(Caller.owner(TenantId.DEFAULT), id))
                    .isInstanceOf(SatchelException.class);
            assertThat(stored(objects)).isEmpty();
        }
    }

    private static List<ListedObject> stored(ObjectStore objects) throws IOException {
        try (Stream<ListedObject> all = objects.list("")) {
            return all.toList();
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aClaimedUploadIsNotDeleted(Dialect dialect) throws Exception {
        try (Database database = TestDatabases.fresh(dialect);
                ObjectStore objects = new LocalObjectStore(folder)) {
            UploadService uploads = uploads(database, objects);
            FileId file = upload(uploads, "hello");
            ConversationId owner =
                    claims(database, objects)
                            .intoNew(Caller.owner(TenantId.DEFAULT), List.of(file));

            clock.advance(Duration.ofDays(3650));
            uploads.sweep();

            assertThat(objects.size(bagFile(database, owner, file).storageKey())).hasValue(5);
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void uploadAndMoveLeaveOneAuditRowEach(Dialect dialect) throws Exception {
        try (Database database = TestDatabases.fresh(dialect);
                ObjectStore objects = new LocalObjectStore(folder)) {
            UploadService uploads = uploads(database, objects);
            FileId file = upload(uploads, "hello");
            ConversationId owner =
                    claims(database, objects)
                            .intoNew(Caller.owner(TenantId.DEFAULT), List.of(file));
            claims(database, objects).intoNew(Caller.owner(TenantId.DEFAULT), List.of(file));

            List<AuditEvent> moves =
                    database.read(tx -> new AuditStore().ofSession(tx, owner.value()));
            assertThat(moves).hasSize(1);
            assertThat(moves.getFirst().action()).isEqualTo(AuditEvent.Action.MOVE);
            String session = moves.getFirst().detail().getOrDefault("from", "");
            List<AuditEvent> arrivals =
                    database.read(tx -> new AuditStore().ofSession(tx, session));
            assertThat(arrivals).hasSize(1);
            assertThat(arrivals.getFirst().target()).isEqualTo(file.value());
        }
    }

    /** The store was away for a day; by then a sweep may come before what is left to be moved. */
    @ParameterizedTest
    @CsvSource({
        "SQLITE,BEFORE_THE_BYTES_MOVED",
        "SQLITE,AFTER_THE_BYTES_MOVED",
        "POSTGRESQL,AFTER_THE_BYTES_MOVED"
    })
    void aMoveThatFailsForLongIsTriedAgain(Dialect dialect, Moment crash) throws Exception {
        try (Database database = TestDatabases.fresh(dialect);
                ObjectStore objects = new LocalObjectStore(folder)) {
            FileId file = upload(uploads(database, objects), "hello");
            UploadClaims dying = claims(database, new FailingMoveStore(objects, crash));
            assertThatThrownBy(() -> dying.intoNew(Caller.owner(TenantId.DEFAULT), List.of(file)))
                    .isInstanceOf(IOException.class);
            clock.advance(Duration.ofHours(25));

            new BagService(database, new BagStore(new ConversationStore()), objects, LIMITS, clock)
                    .sweep();
            UploadClaims later = claims(database, objects);
            later.finish();

            ConversationId chat = later.intoNew(Caller.owner(TenantId.DEFAULT), List.of(file));
            assertThat(objects.size(bagFile(database, chat, file).storageKey())).hasValue(5);
        }
    }

    private UploadService uploads(Database database, ObjectStore objects) {
        new ApiKeys(database, new AccessStore(), clock)
                .create(TenantId.DEFAULT, "makes the tenant");
        return new UploadService(
                database,
                objects,
                new PendingDeletions(database, objects, clock),
                LIMITS,
                MAX_AGE,
                clock);
    }

    private UploadClaims claims(Database database, ObjectStore objects) {
        BagStore bag = new BagStore(new ConversationStore());
        return new UploadClaims(
                uploads(database, objects),
                new ConversationStore(),
                new RunConversationStore(new ConversationStore()),
                bag,
                new BagImport(bag, LIMITS));
    }

    private static FileId upload(UploadService uploads, String content) throws IOException {
        try (UploadReceiver reception =
                uploads.receive(Caller.owner(TenantId.DEFAULT), UploadService.newSession())) {
            reception.receive(
                    "a.txt", new ByteArrayInputStream(content.getBytes(StandardCharsets.UTF_8)));
            return reception.commit().getFirst().id();
        }
    }

    private static boolean exists(Database database, FileId file) {
        return database.read(tx -> new UploadStore().find(tx, Caller.owner(TenantId.DEFAULT), file))
                .isPresent();
    }

    private static BagFile bagFile(Database database, ConversationId conversation, FileId file) {
        return database.read(
                        tx ->
                                new BagStore(new ConversationStore())
                                        .find(tx, new BagId.OfConversation(conversation), file))
                .orElseThrow();
    }
}
