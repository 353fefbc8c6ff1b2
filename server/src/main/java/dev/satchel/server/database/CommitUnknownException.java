package dev.satchel.server.database;

/**
 * The work of a transaction was done, but its commit failed: the connection broke, and the database
 * may have committed or not. Code that has stored bytes for the rows must not delete them now; the
 * sweepers decide by the rows.
 */
public final class CommitUnknownException extends RuntimeException {
    private static final long serialVersionUID = 1;

    CommitUnknownException(RuntimeException cause) {
        super("it is not known whether a transaction was committed", cause);
    }
}
