package dev.satchel.server.workspace;

import dev.satchel.http.Handler;
import dev.satchel.server.access.CallerHandler;

/**
 * Checks who calls a route of a session's files. With several servers it also has the request
 * answered by the server that has the files.
 */
@FunctionalInterface
public interface SessionAccess {
    /** Wraps a handler so that only requests of known callers reach it. */
    Handler requireCaller(CallerHandler handler);

    /** The same for a read that takes longer than reading a file. */
    default Handler requireCallerOfSlowRead(CallerHandler handler) {
        return requireCaller(handler);
    }
}
