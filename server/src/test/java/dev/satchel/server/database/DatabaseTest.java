package dev.satchel.server.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DatabaseTest {
    private static final String INSERT = "INSERT INTO tenant (id, created_at) VALUES (:id, 1)";
    private static final String COUNT = "SELECT COUNT(*) FROM tenant";

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aTransactionThatThrowsLeavesNothing(Dialect dialect) {
        try (Database database = TestDatabases.fresh(dialect)) {
            assertThatThrownBy(
                            () ->
                                    database.change(
                                            tx -> {
                                                insert(tx, "a");
                                                throw new IllegalStateException("no");
                                            }))
                    .hasMessage("no");
            assertThat(count(database)).isZero();
            database.change(tx -> insert(tx, "a"));
            assertThat(count(database)).isEqualTo(1);
        }
    }

    @Test
    void aCheckpointMovesTheLogIntoTheFileWhileItIsOpen(@TempDir Path folder) throws Exception {
        Path file = TestDatabases.freshSqliteFile();
        try (Database database = Databases.sqlite(file)) {
            database.change(tx -> insert(tx, "a"));

            database.checkpoint();

            Path copy = Files.copy(file, folder.resolve("without-its-log.db"));
            try (Database moved = Databases.sqlite(copy)) {
                assertThat(count(moved)).isEqualTo(1);
            }
        }
    }

    @Test
    void aCommitLeavesTheLogAloneUntilItIsLarge() {
        try (Database database = TestDatabases.fresh(Dialect.SQLITE)) {
            int pages =
                    database.write(
                            tx -> tx.query("PRAGMA wal_autocheckpoint").mapTo(Integer.class).one());
            assertThat(pages).isEqualTo(16_384);
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void manyWritersAtOnceAllSucceed(Dialect dialect) throws Exception {
        try (Database database = TestDatabases.fresh(dialect)) {
            List<Thread> writers = new java.util.ArrayList<>();
            for (int i = 0; i < 50; i++) {
                String id = "t" + i;
                writers.add(Thread.startVirtualThread(() -> database.change(tx -> insert(tx, id))));
            }
            for (Thread writer : writers) {
                writer.join();
            }
            assertThat(count(database)).isEqualTo(50);
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aReaderIsNotHeldUpByAnOpenWrite(Dialect dialect) throws Exception {
        try (Database database = TestDatabases.fresh(dialect)) {
            CountDownLatch written = new CountDownLatch(1);
            CountDownLatch mayCommit = new CountDownLatch(1);
            Thread writer =
                    Thread.startVirtualThread(
                            () ->
                                    database.change(
                                            tx -> {
                                                insert(tx, "a");
                                                written.countDown();
                                                awaitQuietly(mayCommit);
                                            }));
            written.await();
            assertThat(count(database)).isZero();
            mayCommit.countDown();
            writer.join();
            assertThat(count(database)).isEqualTo(1);
        }
    }

    @Test
    void sqliteRunsInWalModeWithFullSync() {
        try (Database database = TestDatabases.fresh(Dialect.SQLITE)) {
            assertThat(pragma(database, "journal_mode")).isEqualTo("wal");
            assertThat(pragma(database, "synchronous")).isEqualTo("2");
        }
    }

    @Test
    void openingTwiceAppliesEachStepOnce() {
        Path file = TestDatabases.freshSqliteFile();
        Databases.sqlite(file).close();
        try (Database database = Databases.sqlite(file)) {
            long steps =
                    database.read(
                            tx ->
                                    tx.query("SELECT COUNT(*) FROM schema_step")
                                            .mapTo(Long.class)
                                            .one());
            assertThat(steps).isEqualTo(Migrations.ALL.size());
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aDatabaseOfANewerVersionIsRefusedInOneLine(Dialect dialect) {
        try (Database database = TestDatabases.fresh(dialect)) {
            Migrations older = new Migrations(List.of());
            assertThatThrownBy(() -> older.apply(database))
                    .isInstanceOf(NewerDatabaseException.class)
                    .hasMessageContaining("this version knows only 0");
        }
    }

    /** The version before runs beside the new one during an upgrade. */
    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aDatabaseThatANewerVersionHasOnlyAddedToIsAccepted(Dialect dialect) {
        try (Database database = TestDatabases.fresh(dialect)) {
            List<String> next = new ArrayList<>(Migrations.ALL);
            next.add("test-expand");
            new Migrations(next).apply(database);

            new Migrations(Migrations.ALL).apply(database);

            Migrations before = new Migrations(Migrations.ALL.subList(0, 1));
            assertThatThrownBy(() -> before.apply(database))
                    .isInstanceOf(NewerDatabaseException.class);
        }
    }

    private static void insert(Transaction tx, String id) {
        tx.update(INSERT).bind("id", id).execute();
    }

    private static long count(Database database) {
        return database.read(tx -> tx.query(COUNT).mapTo(Long.class).one());
    }

    private static String pragma(Database database, String name) {
        return database.read(tx -> tx.query("PRAGMA " + name).mapTo(String.class).one());
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
