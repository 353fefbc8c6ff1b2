package dev.satchel.server.access;

/** The text of a caller with which a server forwards their request to another server. */
public final class ForwardedCaller {
    private static final String SEPARATOR = " ";
    private static final int PARTS = 4;

    private ForwardedCaller() {}

    /** Without the tenant, which servers of the version before expect in a header of its own. */
    public static String format(Caller caller) {
        return String.join(
                SEPARATOR,
                caller.user().value(),
                caller.role().word(),
                caller.credential().value(),
                Scope.format(caller.scopes()));
    }

    /** Reads what {@link #format} has written; only for a request of another server. */
    public static Caller parse(TenantId tenant, String text) {
        String[] parts = text.split(SEPARATOR, PARTS);
        if (parts.length < PARTS) {
            throw new IllegalArgumentException("not a forwarded caller");
        }
        return new Caller(
                tenant,
                new UserId(parts[0]),
                UserRole.ofWord(parts[1]),
                Scope.parse(parts[3]),
                new CallerCredential(parts[2]));
    }
}
