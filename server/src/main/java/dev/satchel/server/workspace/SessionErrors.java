package dev.satchel.server.workspace;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.SessionStatus;
import java.util.Map;

/** The errors of the session routes, with the messages that clients know. */
public final class SessionErrors {
    private SessionErrors() {}

    public static SatchelException invalid(String message) {
        return new SatchelException(ErrorCode.INVALID_REQUEST, message);
    }

    public static SatchelException noSuchSession() {
        return new SatchelException(ErrorCode.NOT_FOUND, "Session not found");
    }

    /** For a turn or command of a session that is paused or stopped: it must be resumed first. */
    public static SatchelException notActive(SessionStatus status) {
        return new SatchelException(
                ErrorCode.SESSION_NOT_ACTIVE, "Session is " + status.wireName());
    }

    public static SatchelException ended() {
        return new SatchelException(
                ErrorCode.GONE, "Session has ended \u2014 create a new session");
    }

    static SatchelException noWorkspace() {
        return new SatchelException(ErrorCode.NOT_FOUND, "No workspace available for this session");
    }

    /** The older files of the snapshot must not be mistaken for the newest. */
    public static SatchelException workspacePending(ConversationId id) {
        String code = ErrorCode.WORKSPACE_PENDING.code();
        return new SatchelException(
                        ErrorCode.WORKSPACE_PENDING,
                        "The newest files of this conversation are not saved yet, and the server"
                                + " that has them is away. Try again when it is back, or continue"
                                + " from the last saved files.")
                .withDetails(Map.of("chatId", id.value()))
                .withHeaders(Map.of("Retry-After", "5", "Satchel-Error", code));
    }

    static SatchelException notPending() {
        return new SatchelException(
                ErrorCode.CONFLICT,
                "The newest files of this conversation are available, so there is nothing to give"
                        + " up");
    }

    public static SatchelException noSuchSnapshot() {
        return new SatchelException(ErrorCode.NOT_FOUND, "Snapshot not found");
    }

    public static SatchelException noSuchFile() {
        return new SatchelException(ErrorCode.NOT_FOUND, "File not found");
    }

    /** Restoring a path would replace something else than the path. */
    static SatchelException inTheWay(String path) {
        return new SatchelException(
                ErrorCode.CONFLICT,
                "\""
                        + path
                        + "\" is not a directory now. Restore it, and all beneath it, instead.");
    }

    public static SatchelException invalidPath() {
        return invalid("Invalid file path");
    }

    public static SatchelException notAFile() {
        return invalid("Path is not a file");
    }

    public static SatchelException tooLarge(long size, long limit) {
        return invalid("File too large (" + size + " bytes, max " + limit + ")");
    }

    public static SatchelException runInProgress() {
        return new SatchelException(
                ErrorCode.TURN_IN_PROGRESS, "A run is in progress in this session");
    }
}
