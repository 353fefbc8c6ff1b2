package dev.satchel.server.database;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** A state of the database in which statements fail although they are correct. */
public enum DatabaseOutage {
    /** No connection, no answer in time, or no writes; a retry may succeed. */
    UNAVAILABLE,
    /** The disk of the database is full. */
    FULL;

    private static final String CONNECTION_CLASS = "08";
    private static final String SHUTDOWN_CLASS = "57P0";
    private static final String SYSTEM_ERROR_CLASS = "58";
    private static final String DISK_FULL = "53100";
    private static final String READ_ONLY = "25006";

    /** A statement that was ended because of its time limit, and too many connections. */
    private static final Set<String> OVERLOADED = Set.of("57014", "53300");

    /** Codes of SQLite for locked, read-only, unreadable or missing files. */
    private static final Set<Integer> SQLITE_UNAVAILABLE =
            Set.of(
                    SQLiteErrorCode.SQLITE_BUSY.code,
                    SQLiteErrorCode.SQLITE_READONLY.code,
                    SQLiteErrorCode.SQLITE_IOERR.code,
                    SQLiteErrorCode.SQLITE_CANTOPEN.code);

    /** The outage that caused a failure, if one did. */
    public static Optional<DatabaseOutage> of(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                Optional<DatabaseOutage> outage = ofSql(sql);
                if (outage.isPresent()) {
                    return outage;
                }
            }
        }
        return Optional.empty();
    }

    /** The deepest cause, for a line of the log: others name statements with their values. */
    public static String reason(Throwable failure) {
        Throwable deepest = failure;
        while (deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        return deepest.toString();
    }

    /** Whether other open connections may be useless too: cut, silent or to a read-only server. */
    static boolean affectsConnections(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql && isOfConnection(sql.getSQLState())) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOfConnection(@Nullable String state) {
        return state != null
                && (state.startsWith(CONNECTION_CLASS)
                        || state.startsWith(SHUTDOWN_CLASS)
                        || state.equals(READ_ONLY));
    }

    private static Optional<DatabaseOutage> ofSql(SQLException failure) {
        if (failure instanceof SQLiteException sqlite) {
            int code = sqlite.getErrorCode();
            if (code == SQLiteErrorCode.SQLITE_FULL.code) {
                return Optional.of(FULL);
            }
            return SQLITE_UNAVAILABLE.contains(code) ? Optional.of(UNAVAILABLE) : Optional.empty();
        }
        String state = failure.getSQLState();
        if (DISK_FULL.equals(state)) {
            return Optional.of(FULL);
        }
        boolean isUnavailable =
                failure instanceof SQLTransientConnectionException // the pool has no connection
                        || isOfConnection(state)
                        || (state != null
                                && (state.startsWith(SYSTEM_ERROR_CLASS)
                                        || OVERLOADED.contains(state)));
        return isUnavailable ? Optional.of(UNAVAILABLE) : Optional.empty();
    }
}
