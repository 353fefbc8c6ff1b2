package dev.satchel.server.upload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.http.SatchelException;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.MovableClock;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.bag.BagLimits;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.objectstore.LocalObjectStore;
import dev.satchel.server.objectstore.PendingDeletions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A session is deleted while a file is being uploaded into it. */
class WipedWhileArrivingTest {
    private static final TenantId TENANT = TenantId.DEFAULT;

    /** More than is read before the row is there. */
    private static final int LONG = 200_000;

    @TempDir Path folder;
    private final String session = UploadService.newSession();
    private Database database;
    private LocalObjectStore objects;
    private UploadService uploads;

    @BeforeEach
    void open() throws IOException {
        database = TestDatabases.fresh(Dialect.SQLITE);
        database.change(
                tx ->
                        tx.update("INSERT INTO tenant (id, created_at) VALUES (:id, 0)")
                                .bind("id", TENANT.value())
                                .execute());
        objects = new LocalObjectStore(folder);
        MovableClock clock = new MovableClock();
        uploads =
                new UploadService(
                        database,
                        objects,
                        new PendingDeletions(database, objects, clock),
                        new BagLimits(1_000_000, 10, 10_000_000),
                        Duration.ofHours(24),
                        clock);
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void noBytesOfItStay() throws IOException {
        try (UploadReceiver reception = uploads.receive(Caller.owner(TENANT), session)) {
            reception.receive("a.txt", wipedAtItsEnd());
            assertThatThrownBy(reception::commit).isInstanceOf(SatchelException.class);
        }
        assertThat(objects.list("")).isEmpty();
    }

    private InputStream wipedAtItsEnd() {
        InputStream wiping =
                new InputStream() {
                    @Override
                    public int read() {
                        return read(new byte[1], 0, 1);
                    }

                    @Override
                    public int read(byte[] target, int offset, int length) {
                        assertThat(uploads.delete(Caller.owner(TENANT), session)).isTrue();
                        return -1;
                    }
                };
        return new SequenceInputStream(new ByteArrayInputStream(new byte[LONG]), wiping);
    }
}
