package dev.satchel.server.operations;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.server.database.DatabaseOutage;
import dev.satchel.server.objectstore.ObjectStoreUnavailableException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpTimeoutException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The errors of requests that failed because something that the server needs is away or full. They
 * are not errors of the server, so the client is told to try again.
 */
public final class DependencyErrors {
    private static final Map<String, String> SOON = Map.of("Retry-After", "5");

    private DependencyErrors() {}

    /** Empty when the failure has another reason. */
    public static Optional<SatchelException> of(Throwable failure) {
        Optional<DatabaseOutage> database = DatabaseOutage.of(failure);
        if (database.isPresent()) {
            return Optional.of(
                    switch (database.get()) {
                        case UNAVAILABLE -> unavailable("the database is not available");
                        case FULL -> full("the disk of the database is full");
                    });
        }
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            switch (cause) {
                case ObjectStoreUnavailableException _ -> {
                    return Optional.of(unavailable("the object store is not available"));
                }
                case ConnectException _, HttpTimeoutException _ -> {
                    return Optional.of(unavailable("another server or runner does not answer"));
                }
                case IOException e when isFull(e) -> {
                    return Optional.of(full("the disk is full"));
                }
                default -> {} // its cause may be one of these
            }
        }
        return Optional.empty();
    }

    /** Java has no exception type for a full disk, only the text of the operating system. */
    private static boolean isFull(IOException failure) {
        String message = String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
        return message.contains("no space left") || message.contains("quota exceeded");
    }

    private static SatchelException unavailable(String message) {
        return new SatchelException(ErrorCode.UNAVAILABLE, message).withHeaders(SOON);
    }

    private static SatchelException full(String message) {
        return new SatchelException(ErrorCode.STORAGE_FULL, message);
    }
}
