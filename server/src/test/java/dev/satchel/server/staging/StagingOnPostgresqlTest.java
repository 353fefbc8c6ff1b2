package dev.satchel.server.staging;

import dev.satchel.server.database.Dialect;

class StagingOnPostgresqlTest extends StagingTest {
    @Override
    Dialect dialect() {
        return Dialect.POSTGRESQL;
    }
}
