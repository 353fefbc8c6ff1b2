package dev.satchel.server.database;

/** A newer version of Satchel has migrated the database. */
public final class NewerDatabaseException extends RuntimeException {
    NewerDatabaseException(long found, long known) {
        super(
                "the database is at schema step "
                        + found
                        + ", this version knows only "
                        + known
                        + ": start a newer Satchel");
    }
}
