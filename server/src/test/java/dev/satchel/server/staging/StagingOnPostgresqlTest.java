package dev.satchel.server.staging;

import dev.satchel.server.database.Dialect;

class StagingOnPostgresqlTest extends StagingServiceTest {
    @Override
    Dialect dialect() {
        return Dialect.POSTGRESQL;
    }
}
