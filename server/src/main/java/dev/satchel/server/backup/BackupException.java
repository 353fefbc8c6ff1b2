package dev.satchel.server.backup;

/** Why a backup or a restore stopped, in a sentence for the operator. */
public final class BackupException extends Exception {
    public BackupException(String message) {
        super(message);
    }

    public BackupException(String message, Throwable cause) {
        super(message, cause);
    }
}
