package dev.satchel.server.access;

import java.util.Optional;

/**
 * Names what a caller has used to identify themselves, for the audit log and to end all that came
 * of it. It is not a secret.
 */
public record CallerCredential(String value) {
    /** The server itself: it goes on with what a person has begun, or the operator has asked it. */
    public static final CallerCredential SERVER = new CallerCredential("server");

    public static final CallerCredential INVITATION = new CallerCredential("invitation");
    public static final CallerCredential PASSWORD = new CallerCredential("password");

    /** The provider of OpenID Connect that the operator has chosen. */
    public static final CallerCredential OIDC = new CallerCredential("oidc");

    /** A link that an owner has made for a person who had signed in before. */
    public static final CallerCredential RESET = new CallerCredential("reset");

    private static final String KEY = "key:";
    private static final String SESSION = "session:";

    static CallerCredential key(String id) {
        return new CallerCredential(KEY + id);
    }

    /** The id of the key, if it is one. */
    Optional<String> keyId() {
        return idAfter(KEY);
    }

    /** The id of the browser session, if it is one. */
    public Optional<String> sessionId() {
        return idAfter(SESSION);
    }

    private Optional<String> idAfter(String prefix) {
        return value.startsWith(prefix)
                ? Optional.of(value.substring(prefix.length()))
                : Optional.empty();
    }

    /** Whether it is the browser session with an id. */
    public boolean isSession(String id) {
        return equals(session(id));
    }

    /** The id of a browser session is the beginning of the hash of its secret. */
    static CallerCredential session(String id) {
        return new CallerCredential(SESSION + id);
    }
}
