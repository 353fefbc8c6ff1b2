package dev.satchel.server.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.server.access.AccessStore;
import dev.satchel.server.access.ApiKeys;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.CallerSecret;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.conversation.PersistedMessage;
import dev.satchel.server.conversation.Role;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.objectstore.ListedObject;
import dev.satchel.server.objectstore.LocalObjectStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Taking and restoring snapshots, with and without failures. */
class SnapshotServiceTest {
    private static final Clock CLOCK = Clock.systemUTC();

    @TempDir Path folder;
    private final ConversationStore conversations = new ConversationStore();
    private final ConversationId chat = ConversationId.random();
    private Path workspace;
    private Path stored;
    private FailingStore objects;
    private Database database;
    private SnapshotService snapshots;

    @BeforeEach
    void open() throws IOException {
        workspace = Files.createDirectory(folder.resolve("workspace"));
        stored = folder.resolve("objects");
        objects = new FailingStore(new LocalObjectStore(stored));
        open(Dialect.SQLITE, SnapshotRetention.USUAL);
    }

    private void open(Dialect dialect, SnapshotRetention retention) {
        database = TestDatabases.fresh(dialect);
        new ApiKeys(database, new AccessStore(), CLOCK)
                .acceptConfigured(new CallerSecret("key-of-the-default-tenant"));
        database.change(
                tx ->
                        conversations.create(
                                tx, Caller.owner(TenantId.DEFAULT), chat, null, null, 1));
        snapshots =
                new SnapshotService(
                        database, new SnapshotStore(conversations), objects, retention, CLOCK);
    }

    @AfterEach
    void close() {
        database.close();
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void restoringGivesTheSameFiles(Dialect dialect) throws IOException {
        database.close();
        open(dialect, SnapshotRetention.USUAL);
        fill();
        Map<String, String> before = Tree.of(workspace);

        Snapshot snapshot = take();

        assertThat(Tree.of(restored(snapshot))).isEqualTo(before);
        assertThat(snapshot.files()).isEqualTo(5);
    }

    @Test
    void irregularFilesAreLeftOut() throws Exception {
        write("keep.txt", "kept");
        Path fifo = workspace.resolve("a-fifo");
        assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor()).isZero();

        Path restored = restored(take());

        assertThat(restored.resolve("keep.txt")).hasContent("kept");
        assertThat(restored.resolve("a-fifo")).doesNotExist();
    }

    @Test
    void onlyChangedContentIsStored() throws IOException {
        for (int i = 0; i < 50; i++) {
            write("f" + i, "content of file " + i + " " + "x".repeat(5_000));
        }
        take();
        write("f7", "changed");
        Files.setLastModifiedTime(workspace.resolve("f8"), FileTime.from(Instant.EPOCH));
        Files.move(workspace.resolve("f9"), workspace.resolve("moved"));

        Snapshot second = take();

        Pack made =
                second.packs().stream()
                        .filter(pack -> pack.name().startsWith(second.id().value()))
                        .findFirst()
                        .orElseThrow();
        assertThat(made.size()).isLessThan(100);
        assertThat(Tree.of(restored(second))).isEqualTo(Tree.of(workspace));
    }

    @Test
    void aLargeFileIsPackedAndRestored() throws IOException {
        write("big.txt", "0123456789".repeat(100_000));
        write("small.txt", "small");
        Snapshot snapshot = take();

        assertThat(Tree.of(restored(snapshot))).isEqualTo(Tree.of(workspace));
        assertThat(snapshot.bytes()).isEqualTo(1_000_005);
    }

    @Test
    void aSnapshotWithoutChangesStoresNothing() throws IOException {
        fill();
        settle();
        take();
        take();
        long count = objectCount();

        Snapshot third = take();

        assertThat(objectCount()).isEqualTo(count);
        assertThat(Tree.of(restored(third))).isEqualTo(Tree.of(workspace));
    }

    @Test
    void aChangeWithTheSameTimeAndSizeIsFound() throws IOException {
        Path file = write("a.txt", "one");
        FileTime time = Files.getLastModifiedTime(file);
        take();
        Files.writeString(file, "two");
        Files.setLastModifiedTime(file, time);

        assertThat(restored(take()).resolve("a.txt")).hasContent("two");
    }

    @Test
    void afterAFailureThePreviousSnapshotIsCompleteAndNewest() throws IOException {
        fill();
        Snapshot first = take();
        Map<String, String> before = Tree.of(workspace);
        write("dir/one.txt", "changed");
        write("new.txt", "new");
        boolean died = true;
        for (int calls = 0; died; calls++) {
            objects.dieAfter(calls);
            try {
                take();
            } catch (IOException e) {
                assertThat(e).hasMessage("killed");
            }
            died = objects.died();
            objects.revive();
            if (died) {
                Snapshot newest = snapshots.newest(chat).orElseThrow();
                assertThat(newest.id()).isEqualTo(first.id());
                assertThat(Tree.of(restored(newest))).isEqualTo(before);
            }
        }
        Snapshot last = snapshots.newest(chat).orElseThrow();
        assertThat(last.id()).isNotEqualTo(first.id());
        assertThat(Tree.of(restored(last))).isEqualTo(Tree.of(workspace));
    }

    @Test
    void aLateSnapshotNeverReplacesThatOfALaterTurn() throws IOException {
        write("a.txt", "first turn");
        long first = nextTurn();
        long second = nextTurn();
        Snapshot newer = take(second).orElseThrow();
        write("a.txt", "late");

        assertThat(take(first)).isEmpty();
        assertThat(snapshots.newest(chat).map(Snapshot::id)).hasValue(newer.id());
    }

    @Test
    void oldSnapshotsAreDeletedByCountWithTheirObjects() throws IOException {
        database.close();
        open(Dialect.SQLITE, new SnapshotRetention(2, Duration.ofDays(1)));
        write("stays.txt", "the same in all");
        for (int i = 0; i < 6; i++) {
            write("big.bin", i + "y".repeat(10_000));
            take();
            snapshots.prune(chat);
        }

        assertThat(snapshots.list(chat)).hasSize(2);
        for (Snapshot snapshot : snapshots.list(chat)) {
            assertThat(restored(snapshot).resolve("stays.txt")).hasContent("the same in all");
        }
        assertThat(objectCount()).isLessThanOrEqualTo(2 + 3); // manifests, and packs in use
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void theFilesOfEveryBranchAreKept(Dialect dialect) throws IOException {
        database.close();
        open(dialect, new SnapshotRetention(1, Duration.ofDays(1)));
        say(Role.ASSISTANT);
        write("a.txt", "first");
        take();
        say(Role.ASSISTANT);
        write("a.txt", "of the first branch");
        Snapshot left = take();
        database.change(
                tx ->
                        conversations
                                .threads()
                                .setHead(tx, chat, conversations.threads().tree(tx, chat), 1));
        for (int i = 0; i < 4; i++) {
            say(Role.ASSISTANT);
            write("a.txt", "of the second branch " + i);
            take();
        }

        snapshots.prune(chat);

        Snapshot newest = snapshots.newest(chat).orElseThrow();
        assertThat(snapshots.list(chat))
                .extracting(Snapshot::id)
                .containsExactly(newest.id(), left.id());
        assertThat(restored(left).resolve("a.txt")).hasContent("of the first branch");
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void theFilesOfTheBeginningAndOfQuestionsAreKept(Dialect dialect) throws IOException {
        database.close();
        open(dialect, new SnapshotRetention(1, Duration.ofDays(1)));
        write("a.txt", "before all");
        Snapshot beginning = take();
        say(Role.USER);
        write("a.txt", "of the question");
        Snapshot question = take();
        for (int i = 0; i < 4; i++) {
            say(Role.ASSISTANT);
            write("a.txt", "of answer " + i);
            take();
        }

        snapshots.prune(chat);

        Snapshot newest = snapshots.newest(chat).orElseThrow();
        assertThat(snapshots.list(chat))
                .extracting(Snapshot::id)
                .containsExactly(newest.id(), question.id(), beginning.id());
    }

    private void say(Role role) {
        PersistedMessage message =
                new PersistedMessage(
                        MessageId.random().value(),
                        role,
                        List.of(),
                        List.of(),
                        List.of(),
                        null,
                        1,
                        null);
        database.change(tx -> conversations.threads().append(tx, chat, message));
    }

    @Test
    void oldSnapshotsAreDeletedByAgeExceptTheNewest() throws IOException {
        database.close();
        open(Dialect.SQLITE, new SnapshotRetention(10, Duration.ZERO));
        write("a.txt", "1");
        take();
        write("a.txt", "22");
        Snapshot newest = take();
        SnapshotService later =
                new SnapshotService(
                        database,
                        new SnapshotStore(conversations),
                        objects,
                        new SnapshotRetention(10, Duration.ZERO),
                        Clock.offset(CLOCK, Duration.ofSeconds(5)));
        later.prune(chat);

        assertThat(later.list(chat)).extracting(Snapshot::id).containsExactly(newest.id());
        assertThat(restored(newest).resolve("a.txt")).hasContent("22");
    }

    @Test
    void onlyObjectsWithoutASnapshotAreSwept() throws IOException {
        fill();
        Snapshot good = take();
        write("new.txt", "in vain");
        objects.dieAfter(1); // the pack, and then it is over
        assertThatThrownBy(this::take).isInstanceOf(IOException.class);
        objects.revive();
        long withLeftovers = objectCount();

        new SnapshotSweeper(database, new SnapshotStore(conversations), objects, CLOCK).sweep();
        assertThat(objectCount()).isEqualTo(withLeftovers); // the young may be on its way
        Clock tomorrow = Clock.offset(CLOCK, Duration.ofDays(2));
        new SnapshotSweeper(database, new SnapshotStore(conversations), objects, tomorrow).sweep();

        assertThat(objectCount()).isLessThan(withLeftovers);
        assertThat(restored(good)).isDirectory();
    }

    @Test
    void aDamagedContentIsNotReturned() throws IOException {
        write("a.txt", "content ".repeat(100));
        Snapshot snapshot = take();
        try (Stream<Path> files = Files.walk(stored)) {
            Path pack =
                    files.filter(path -> path.toString().contains("pack-"))
                            .findFirst()
                            .orElseThrow();
            byte[] bytes = Files.readAllBytes(pack);
            bytes[bytes.length / 2] ^= 1;
            Files.write(pack, bytes);
        }

        assertThatThrownBy(() -> restored(snapshot)).isInstanceOf(IOException.class);
    }

    @Test
    void aDifferenceHasAddedRemovedAndChangedPaths() throws IOException {
        fill();
        Manifest first = snapshots.manifest(take());
        write("dir/one.txt", "other");
        Files.delete(workspace.resolve("yarn.lock"));
        write("new/deep.txt", "new");
        Manifest second = snapshots.manifest(take());

        Manifest.Difference difference = first.differenceTo(second);

        assertThat(difference.added()).containsExactly("new/deep.txt");
        assertThat(difference.removed()).containsExactly("yarn.lock");
        assertThat(difference.changed()).containsExactly("dir/one.txt");
    }

    private void fill() throws IOException {
        write("dir/one.txt", "one");
        write("dir/same.txt", "one");
        write("yarn.lock", "locked");
        write("empty.txt", "");
        Path script = write("dir/sub/run.sh", "#!/bin/sh\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-x--x"));
        Files.createDirectory(workspace.resolve("nothing"));
        Files.createSymbolicLink(workspace.resolve("inside"), Path.of("dir/one.txt"));
        Files.createSymbolicLink(workspace.resolve("dangling"), Path.of("../../nowhere"));
        Files.createSymbolicLink(workspace.resolve("outside"), Path.of("/etc/passwd"));
        FileTime time = FileTime.from(Instant.parse("2024-02-29T12:34:56.789012345Z"));
        for (String name : new String[] {"dir/one.txt", "inside", "dir/sub", "nothing"}) {
            Files.getFileAttributeView(
                            workspace.resolve(name),
                            BasicFileAttributeView.class,
                            LinkOption.NOFOLLOW_LINKS)
                    .setTimes(time, null, null);
        }
        Files.setPosixFilePermissions(
                workspace.resolve("nothing"), PosixFilePermissions.fromString("r-x------"));
    }

    private Path write(String path, String content) throws IOException {
        Path file = workspace.resolve(path);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, content);
    }

    /** Sets the clock forward, so that all files are old. */
    private void settle() {
        Clock later = Clock.offset(CLOCK, Duration.ofMinutes(1));
        snapshots =
                new SnapshotService(
                        database,
                        new SnapshotStore(conversations),
                        objects,
                        SnapshotRetention.USUAL,
                        later);
    }

    /** Such as one of a server that was only frozen while a person gave up its files. */
    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aSnapshotOfFilesThatWereGivenUpIsRefused(Dialect dialect) throws IOException {
        database.close();
        open(dialect, SnapshotRetention.USUAL);
        long generation = nextTurn();
        RunId run = RunId.random();
        assertThat(
                        database.<Boolean>write(
                                tx -> conversations.markPending(tx, chat, "a", run, generation)))
                .isTrue();
        assertThat(database.<Boolean>write(tx -> conversations.discardPending(tx, chat, "a")))
                .isTrue();
        write("late.txt", "late");

        assertThat(take(generation)).isEmpty();
        assertThat(snapshots.newest(chat)).isEmpty();
        assertThat(take(nextTurn())).isPresent();
    }

    private Snapshot take() throws IOException {
        return take(0).orElseThrow();
    }

    private Optional<Snapshot> take(long generation) throws IOException {
        try (SafeDirectory directory = SafeDirectory.open(workspace)) {
            return snapshots.take(
                    new SnapshotService.Origin(TenantId.DEFAULT, chat, generation, null),
                    directory);
        }
    }

    private long nextTurn() {
        RunId run = RunId.random();
        return database.write(
                tx -> {
                    long generation =
                            conversations
                                    .take(
                                            tx,
                                            Caller.owner(TenantId.DEFAULT),
                                            chat,
                                            MessageId.random(),
                                            run,
                                            1)
                                    .orElseThrow();
                    conversations.free(tx, chat, run, generation, 1);
                    return generation;
                });
    }

    private Path restored(Snapshot snapshot) throws IOException {
        Path into = Files.createTempDirectory(folder, "restored-");
        new SnapshotRestorer(snapshots).into(into, snapshot);
        return into;
    }

    private long objectCount() throws IOException {
        try (Stream<ListedObject> all = objects.list("")) {
            return all.count();
        }
    }
}
