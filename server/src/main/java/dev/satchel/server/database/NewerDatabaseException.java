package dev.satchel.server.database;

/** The database was written by a newer Satchel; an older one would damage what it does not know. */
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
