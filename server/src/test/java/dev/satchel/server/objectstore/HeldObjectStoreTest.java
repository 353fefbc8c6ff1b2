package dev.satchel.server.objectstore;

import dev.satchel.server.backup.HeldObjectStore;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.database.TestDatabases;
import java.nio.file.Path;
import java.time.Clock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Without a backup it behaves like the store behind it. */
class HeldObjectStoreTest extends ObjectStoreContract {
    @TempDir private Path folder;
    private Database database;

    @BeforeEach
    @Override
    void open() throws Exception {
        database = TestDatabases.fresh(Dialect.SQLITE);
        super.open();
    }

    @AfterEach
    void closeDatabase() {
        database.close();
    }

    @Override
    ObjectStore openStore() throws Exception {
        return new HeldObjectStore(new LocalObjectStore(folder), database, Clock.systemUTC());
    }
}
