package dev.satchel.server.database;

import java.util.Optional;

/** The little that the two databases do not say alike. */
public enum Dialect {
    SQLITE {
        @Override
        String migrationLock() {
            return "SELECT 1"; // the one writer already holds the file
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

    /** Makes two servers that start at once migrate one after the other. */
    abstract String migrationLock();

    /** Asks for the milliseconds since 1970, where the database has a clock that is not ours. */
    abstract Optional<String> clock();
}
