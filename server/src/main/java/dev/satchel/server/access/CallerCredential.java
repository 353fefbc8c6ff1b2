package dev.satchel.server.access;

/**
 * Names what a caller has used to identify themselves, for the audit log and to end all that came
 * of it. It is not a secret.
 */
public record CallerCredential(String value) {
    /** The server itself: it goes on with what a person has begun, or the operator has asked it. */
    public static final CallerCredential SERVER = new CallerCredential("server");

    public static final CallerCredential INVITATION = new CallerCredential("invitation");
    public static final CallerCredential PASSWORD = new CallerCredential("password");

    static CallerCredential key(String id) {
        return new CallerCredential("key:" + id);
    }

    /** Whether it is the browser session with an id. */
    public boolean isSession(String id) {
        return equals(session(id));
    }

    /** The id of a browser session is the beginning of the hash of its secret. */
    static CallerCredential session(String id) {
        return new CallerCredential("session:" + id);
    }
}
