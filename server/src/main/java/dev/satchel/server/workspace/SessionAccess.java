package dev.satchel.server.workspace;

import dev.satchel.server.access.CallerHandler;
import dev.satchel.server.access.Permission;
import dev.satchel.server.access.PermittedHandler;

/**
 * Checks who calls a route of a session's files. With several servers it also has the request
 * answered by the server that has the files.
 */
@FunctionalInterface
public interface SessionAccess {
    /** Wraps a handler so that only requests of callers with a permission reach it. */
    PermittedHandler requireCaller(Permission permission, CallerHandler handler);

    /** The same for a read that takes longer than reading a file. */
    default PermittedHandler requireCallerOfSlowRead(Permission permission, CallerHandler handler) {
        return requireCaller(permission, handler);
    }
}
