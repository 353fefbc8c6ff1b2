package dev.satchel.server.database;

/** The little that the two databases do not say alike. */
public enum Dialect {
    SQLITE {
        @Override
        String migrationLock() {
            return "SELECT 1"; // the one writer already holds the file
        }
    },
    POSTGRESQL {
        @Override
        String migrationLock() {
            return "SELECT pg_advisory_xact_lock(5741237)";
        }
    };

    /** Makes two servers that start at once migrate one after the other. */
    abstract String migrationLock();
}
