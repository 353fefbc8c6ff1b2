package dev.satchel.server.user.oidc;

/** A sign-in is refused; the message says why on a page and in the log, without anything secret. */
public final class OidcException extends Exception {
    private static final long serialVersionUID = 1L;
    private static final int MAX_LENGTH = 300;

    public OidcException(String message) {
        super(oneLine(message));
    }

    OidcException(String message, Throwable cause) {
        super(oneLine(message), cause);
    }

    /** It may have words of the provider, or of who has made its answer. */
    private static String oneLine(String message) {
        String line = message.replaceAll("\\p{Cntrl}", " ");
        return line.length() <= MAX_LENGTH ? line : line.substring(0, MAX_LENGTH) + "…";
    }
}
