package dev.satchel.server.backup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.command.CommandRun;
import dev.satchel.server.command.CommandRun.Outcome;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Databases;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.migrate.FilledServer;
import dev.satchel.server.objectstore.S3ProxyProcess;
import dev.satchel.server.objectstore.S3Settings;
import dev.satchel.server.testing.TestServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code satchel backup} and {@code restore} as an operator runs them, beside a server in use. */
@Timeout(600)
class BackupTest {
    @TempDir private static Path shared;

    private static S3ProxyProcess stores;
    private static Path data;
    private static FilledServer server;
    private static Map<String, String> picture;

    @TempDir private Path folder;

    @BeforeAll
    static void fill() throws Exception {
        stores = S3ProxyProcess.start(Files.createDirectory(shared.resolve("s3")));
        data = shared.resolve("data");
        server = FilledServer.start(data, null, null);
        server.fill();
        for (int i = 0; i < 40; i++) {
            server.asset("asset-" + i + ".txt", "content " + i);
        }
        picture = server.picture();
    }

    @AfterAll
    static void stop() {
        server.close();
        stores.close();
    }

    @Test
    void aBackupOfARunningServerIsRestoredIntoAnEmptyFolder() throws Exception {
        Path backups = folder.resolve("backups");
        Path empty = folder.resolve("empty");

        Outcome saved = command("backup", backups.toString()).run();
        Outcome checked = command("backup", "verify", backups.toString()).run();
        Outcome restored = CommandRun.of("restore", backups.toString()).in(empty, null, null).run();

        assertThat(saved.code()).as(saved.printed()).isZero();
        assertThat(saved.printed()).contains("No key is needed");
        assertThat(checked.code()).as(checked.printed()).isZero();
        assertThat(checked.printed()).contains("is complete");
        assertThat(restored.code()).as(restored.printed()).isZero();
        assertServes(empty, null, null);
    }

    /** The rows are stored in the same form from both databases. */
    @Test
    void aBackupIsRestoredToPostgresqlAndS3AndBackedUpFromThere() throws Exception {
        S3Settings first = stores.newBucket();
        S3Settings second = stores.newBucket();
        URI database = TestDatabases.freshPostgresql();
        S3Settings bucket = stores.newBucket();
        String place = "s3://" + first.bucket() + "/of/satchel";
        Path machine = folder.resolve("machine");

        Outcome saved = command("backup", place).backupsIn(first).run();
        Outcome restored =
                CommandRun.of("restore", place)
                        .in(machine, database, bucket)
                        .backupsIn(first)
                        .run();
        Outcome again =
                CommandRun.of("backup", "s3://" + second.bucket())
                        .in(machine, database, bucket)
                        .run();
        Path home = folder.resolve("home");
        Outcome back =
                CommandRun.of("restore", "s3://" + second.bucket())
                        .in(home, null, null)
                        .backupsIn(second)
                        .run();

        assertThat(saved.code()).as(saved.printed()).isZero();
        assertThat(restored.code()).as(restored.printed()).isZero();
        assertThat(again.code()).as(again.printed()).isZero();
        assertThat(back.code()).as(back.printed()).isZero();
        assertServes(machine, database, bucket);
        assertServes(home, null, null);
    }

    @Test
    void aBackupUnderLoadHasEveryFileOfItsRows() throws Exception {
        Path backups = folder.resolve("backups");
        AtomicBoolean isDone = new AtomicBoolean();
        CountDownLatch busy = new CountDownLatch(3);
        Thread load = Thread.ofVirtual().start(() -> load(isDone, busy));
        busy.await();
        try {
            for (int i = 0; i < 3; i++) {
                Outcome saved = command("backup", backups.toString()).run();
                assertThat(saved.code()).as(saved.printed()).isZero();
            }
        } finally {
            isDone.set(true);
            load.join();
        }
        Path empty = folder.resolve("empty");
        Outcome restored = CommandRun.of("restore", backups.toString()).in(empty, null, null).run();

        assertThat(restored.code()).as(restored.printed()).isZero();
        assertServes(empty, null, null);
    }

    @Test
    void theNextBackupCopiesOnlyWhatIsNew() throws Exception {
        Path backups = folder.resolve("backups");
        command("backup", backups.toString()).run();
        long before = contents(backups).size();

        Outcome again = command("backup", backups.toString()).run();

        assertThat(again.printed()).contains("files: 0 of ");
        assertThat(contents(backups)).hasSizeLessThanOrEqualTo((int) before + 3); // rows of leases
        assertThat(states(backups)).hasSize(2);
    }

    @Test
    void oldBackupsAreDeletedWithWhatOnlyTheyNeed() throws Exception {
        Path backups = folder.resolve("backups");
        command("backup", backups.toString()).run();
        Path stray = backups.resolve("content/00/" + "00".repeat(32));
        Files.createDirectories(stray.getParent());
        Files.writeString(stray, "what only an old backup needed");

        Outcome saved = command("backup", "--keep", "1", backups.toString()).run();

        assertThat(saved.code()).as(saved.printed()).isZero();
        assertThat(states(backups)).hasSize(1);
        assertThat(stray).doesNotExist();
        assertThat(command("backup", "verify", backups.toString()).run().code()).isZero();
    }

    @Test
    void aBackupThatWasKilledLeavesTheEarlierOneWhole() throws Exception {
        Path backups = folder.resolve("backups");
        command("backup", backups.toString()).run();
        String earlier = states(backups).getFirst();

        command("backup", "--full", backups.toString()).killAt("files: ");
        Outcome refused = command("backup", backups.toString()).run();
        assertThat(refused.printed()).contains("another backup is in progress");
        expireHold();

        assertThat(states(backups)).containsExactly(earlier);
        Outcome checked = command("backup", "verify", backups.toString()).run();
        assertThat(checked.code()).as(checked.printed()).isZero();
        assertThat(command("backup", backups.toString()).run().code()).isZero();
    }

    @Test
    void aDamagedBackupIsFoundAndAFullOneMendsIt() throws Exception {
        Path backups = folder.resolve("backups");
        command("backup", backups.toString()).run();
        for (Path content : contents(backups)) {
            byte[] bytes = Files.readAllBytes(content);
            bytes[bytes.length / 2] ^= 1;
            Files.write(content, bytes);
            Outcome checked = command("backup", "verify", backups.toString()).run();
            assertThat(checked.code()).as("%s: %s", content, checked.printed()).isEqualTo(1);
            bytes[bytes.length / 2] ^= 1;
            Files.write(content, bytes);
            if (contents(backups).indexOf(content) == 2) {
                break;
            }
        }
        Files.delete(contents(backups).getFirst());

        Outcome missing = command("backup", "verify", backups.toString()).run();

        assertThat(missing.code()).isEqualTo(1);
        assertThat(missing.printed()).contains("of the backup is missing");
        command("backup", "--full", backups.toString()).run();
        assertThat(command("backup", "verify", backups.toString()).run().code()).isZero();
    }

    @Test
    void aPlaceInUseIsRefused() throws Exception {
        Path backups = folder.resolve("backups");
        command("backup", backups.toString()).run();

        Outcome running = command("restore", backups.toString()).run();
        Path stopped = folder.resolve("stopped");
        FilledServer.start(stopped, null, null).close();
        Outcome used = CommandRun.of("restore", backups.toString()).in(stopped, null, null).run();
        Outcome inside = command("backup", data.resolve("backups").toString()).run();

        assertThat(running.code()).isEqualTo(1);
        assertThat(running.printed()).contains("another Satchel");
        assertThat(used.code()).isEqualTo(1);
        assertThat(used.printed()).contains("is not empty");
        assertThat(inside.code()).isEqualTo(2);
        assertThat(inside.printed()).contains("is in the data folder");
    }

    @Test
    void anInterruptedRestoreIsRunAgain() throws Exception {
        Path backups = folder.resolve("backups");
        command("backup", backups.toString()).run();
        Path empty = folder.resolve("empty");
        CommandRun restore = CommandRun.of("restore", backups.toString()).in(empty, null, null);

        restore.killAt("rows: conversation ");
        Outcome restored = restore.run();

        assertThat(restored.code()).as(restored.printed()).isZero();
        assertServes(empty, null, null);
    }

    /** Of the server of all tests. */
    private static CommandRun command(String... arguments) {
        return CommandRun.of(arguments).in(data, null, null);
    }

    private static void assertServes(Path data, @Nullable URI database, @Nullable S3Settings bucket)
            throws Exception {
        try (FilledServer restored = FilledServer.start(data, database, bucket)) {
            Map<String, String> now = restored.picture();
            assertThat(now).containsAllEntriesOf(stable(picture));
            assertThat(now.values()).noneMatch(it -> it.matches("[45]\\d\\d -?\\d+"));
            assertThat(restored.goesOn("/sh cat d/a.txt")).contains("two");
        }
    }

    /** Without lists and sums, which grow under load. */
    private static Map<String, String> stable(Map<String, String> picture) {
        return picture.entrySet().stream()
                .filter(
                        entry ->
                                entry.getKey()
                                        .matches("/api/(assistant/chats|assets|runs|sessions)/.+"))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** Turns, uploads and deletions. */
    private static void load(AtomicBoolean isDone, CountDownLatch busy) {
        try {
            while (!isDone.get()) {
                String chat = server.server().newChat();
                server.server().upload(chat, "loaded.txt", "loaded " + chat);
                server.server()
                        .sendAs(TestServer.KEY, "DELETE", "/agent-server/api/sessions/" + chat);
                server.server().sweep();
                busy.countDown();
            }
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** As if the time of the lease had passed. */
    private static void expireHold() {
        try (Database database = Databases.withoutMigration(data.resolve("satchel.db"))) {
            database.change(tx -> tx.update("UPDATE backup_hold SET expires_at = 0").execute());
        }
    }

    private static List<Path> contents(Path backups) throws IOException {
        try (Stream<Path> files = Files.walk(backups.resolve("content"))) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private static List<String> states(Path backups) throws IOException {
        try (Stream<Path> files = Files.list(backups.resolve("states"))) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
