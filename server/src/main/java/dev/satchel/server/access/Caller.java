package dev.satchel.server.access;

import java.util.Set;

/** The authenticated sender of a request: a person of a tenant, and what they have used. */
public record Caller(
        TenantId tenant,
        UserId user,
        UserRole role,
        Set<Scope> scopes,
        CallerCredential credential) {
    private static final String SEPARATOR = " ";
    private static final int FORWARDED_PARTS = 4;

    public Caller {
        scopes = Set.copyOf(scopes);
    }

    /** The first owner of a tenant, for work of the server itself. */
    public static Caller owner(TenantId tenant) {
        return new Caller(
                tenant, UserId.FIRST_OWNER, UserRole.OWNER, Scope.ALL, CallerCredential.SERVER);
    }

    /** The server, which goes on with what a person has begun. */
    public static Caller onBehalfOf(TenantId tenant, UserId user) {
        return new Caller(tenant, user, UserRole.MEMBER, Scope.ALL, CallerCredential.SERVER);
    }

    /** A person with all scopes, who has used this credential. */
    public static Caller of(User user, CallerCredential credential) {
        return new Caller(user.tenant(), user.id(), user.role(), Scope.ALL, credential);
    }

    /** Reads what {@link #forwarded} has made; only for a request of another server. */
    public static Caller ofForwarded(TenantId tenant, String text) {
        String[] parts = text.split(SEPARATOR, FORWARDED_PARTS);
        if (parts.length < FORWARDED_PARTS) {
            throw new IllegalArgumentException("not a forwarded caller");
        }
        return new Caller(
                tenant,
                new UserId(parts[0]),
                UserRole.ofWord(parts[1]),
                Scope.parse(parts[3]),
                new CallerCredential(parts[2]));
    }

    /**
     * The text with which a server forwards a request to another server. It is without the tenant,
     * which servers of the version before expect in a header of its own.
     */
    public String forwarded() {
        return String.join(
                SEPARATOR, user.value(), role.word(), credential.value(), Scope.format(scopes));
    }

    /** An owner of the tenant {@code default} operates the server. */
    public boolean isOperator() {
        return tenant.equals(TenantId.DEFAULT) && role == UserRole.OWNER;
    }
}
