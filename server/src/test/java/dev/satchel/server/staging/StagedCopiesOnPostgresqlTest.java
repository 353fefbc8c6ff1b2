package dev.satchel.server.staging;

import dev.satchel.server.database.TestDatabases;
import java.net.URI;

/** With PostgreSQL other servers may take over, so every change is in a snapshot. */
class StagedCopiesOnPostgresqlTest extends StagedCopiesTest {
    @Override
    URI database() throws Exception {
        return TestDatabases.freshPostgresql();
    }
}
