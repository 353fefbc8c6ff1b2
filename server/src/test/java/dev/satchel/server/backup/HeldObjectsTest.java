package dev.satchel.server.backup;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.server.command.CommandRun;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Databases;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.migrate.FilledServer;
import dev.satchel.server.objectstore.LocalObjectStore;
import dev.satchel.server.objectstore.ObjectKey;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.objectstore.ObjectStoreUnavailableException;
import dev.satchel.server.objectstore.PendingDeletions;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.TestServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is deleted while a backup copies objects. */
@Timeout(120)
class HeldObjectsTest {
    private static final ObjectKey KEY = new ObjectKey("area/one");

    @TempDir private Path folder;

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void noObjectIsDeletedWhileABackupHoldsThem(Dialect dialect) throws Exception {
        try (Database database = TestDatabases.fresh(dialect);
                ObjectStore plain = new LocalObjectStore(folder);
                HeldObjectStore held = new HeldObjectStore(plain, database, Clock.systemUTC())) {
            put(held, KEY);
            try (BackupHold hold = BackupHold.take(database, Clock.systemUTC())) {
                assertThatThrownBy(() -> held.delete(KEY))
                        .isInstanceOf(ObjectStoreUnavailableException.class);
                assertThatThrownBy(() -> held.deletePrefix("area/"))
                        .isInstanceOf(ObjectStoreUnavailableException.class);
                assertThatThrownBy(() -> BackupHold.take(database, Clock.systemUTC()))
                        .hasMessageContaining("another backup is in progress");
                hold.require();
            }
            assertThat(held.size(KEY)).hasValue(1);
            held.delete(KEY);
            assertThat(held.size(KEY)).isEmpty();
        }
    }

    @Test
    void aMovedObjectStaysWhereItWasUntilTheBackupHasEnded() throws Exception {
        ObjectKey target = new ObjectKey("area/two");
        try (Database database = TestDatabases.fresh(Dialect.SQLITE);
                ObjectStore plain = new LocalObjectStore(folder);
                HeldObjectStore held = new HeldObjectStore(plain, database, Clock.systemUTC())) {
            put(held, KEY);
            try (BackupHold _ = BackupHold.take(database, Clock.systemUTC())) {
                held.move(KEY, target);
            }
            assertThat(held.size(KEY)).hasValue(1);
            assertThat(held.size(target)).hasValue(1);

            new PendingDeletions(database, held, Clock.systemUTC()).run();

            assertThat(held.size(KEY)).isEmpty();
            assertThat(held.size(target)).hasValue(1);
        }
    }

    @Test
    void aHoldThatHasExpiredFailsTheBackup() throws Exception {
        try (Database database = TestDatabases.fresh(Dialect.SQLITE);
                BackupHold hold = BackupHold.take(database, Clock.systemUTC())) {
            database.change(tx -> tx.update("UPDATE backup_hold SET expires_at = 0").execute());

            assertThatThrownBy(hold::require).hasMessageContaining("run the backup again");
        }
    }

    /** Everything that the rows name is removed as soon as the rows were read. */
    @Test
    void whatIsDeletedWhileTheBackupCopiesIsInTheBackup() throws Exception {
        Path data = folder.resolve("data");
        Path empty = folder.resolve("empty");
        Path backups = folder.resolve("backups");
        Map<String, String> before;
        try (FilledServer server = FilledServer.start(data, null, null)) {
            server.fill();
            before = server.picture();
            try (Database database = Databases.withoutMigration(data.resolve("satchel.db"));
                    ObjectStore objects = new LocalObjectStore(data.resolve("objects"));
                    BackupPlace place = new BackupPlace(new LocalObjectStore(backups), "")) {
                ObjectStore disturbed =
                        beforeTheFirstRead(objects, () -> deleteAll(server.server()));
                new Backup(database, disturbed, place, Clock.systemUTC(), _ -> {})
                        .run(new Backup.Options("test", false, Optional.empty()));
            }
            assertThat(server.server().getJson("/api/assistant/chats").get("chats")).isEmpty();
        }
        CommandRun.Outcome restored =
                CommandRun.of("restore", backups.toString()).in(empty, null, null).run();

        assertThat(restored.code()).as(restored.printed()).isZero();
        try (FilledServer server = FilledServer.start(empty, null, null)) {
            Map<String, String> now = new HashMap<>(server.picture());
            assertThat(now).isEqualTo(before);
        }
    }

    private static Object deleteAll(TestServer server) throws Exception {
        for (var chat : server.getJson("/api/assistant/chats").get("chats")) {
            String id = chat.get("id").stringValue();
            server.sendAs(TestServer.KEY, "DELETE", "/agent-server/api/sessions/" + id);
        }
        for (var asset : server.getJson("/api/assets").get("assets")) {
            server.sendAs(TestServer.KEY, "DELETE", "/api/assets/" + asset.get("id").stringValue());
        }
        server.send(
                server.request("/agent-server/api/upload")
                        .header("Content-Type", MultipartBody.CONTENT_TYPE)
                        .POST(new MultipartBody().file("late.txt", "late").publisher())
                        .build());
        server.sweep();
        return server;
    }

    private static void put(ObjectStore store, ObjectKey key) throws IOException {
        try (InputStream content = new ByteArrayInputStream("1".getBytes(UTF_8))) {
            store.put(key, content);
        }
    }

    /** Calls the disturbance once, when the first object is read. */
    private static ObjectStore beforeTheFirstRead(ObjectStore objects, Callable<Object> disturb) {
        AtomicBoolean done = new AtomicBoolean();
        return (ObjectStore)
                Proxy.newProxyInstance(
                        ObjectStore.class.getClassLoader(),
                        new Class<?>[] {ObjectStore.class},
                        (_, method, arguments) -> {
                            if (method.getName().equals("open")
                                    && done.compareAndSet(false, true)) {
                                disturb.call();
                            }
                            try {
                                return method.invoke(objects, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        });
    }
}
