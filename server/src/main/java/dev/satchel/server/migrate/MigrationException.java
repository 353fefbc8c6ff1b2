package dev.satchel.server.migrate;

/** Why nothing was moved, in words for an operator; the source is as it was. */
public final class MigrationException extends Exception {
    MigrationException(String message) {
        super(message);
    }
}
