package dev.satchel.server.database;

import java.util.Optional;

/** The statements that differ between the two databases. */
public enum Dialect {
    SQLITE {
        @Override
        String migrationLock() {
            return "SELECT 1"; // the only writer already locks the file
        }

        @Override
        Optional<String> clock() {
            return Optional.empty();
        }
    },
    POSTGRESQL {
        @Override
        String migrationLock() {
            return "SELECT pg_advisory_xact_lock(5741237)";
        }

        @Override
        Optional<String> clock() {
            return Optional.of(
                    "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)");
        }
    };

    /** Lets servers that start at the same time migrate one after the other. */
    abstract String migrationLock();

    /** Reads the milliseconds since 1970, if the database has its own clock. */
    abstract Optional<String> clock();
}
