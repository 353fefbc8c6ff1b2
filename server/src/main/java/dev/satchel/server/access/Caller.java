package dev.satchel.server.access;

import java.util.Set;

/** The authenticated sender of a request: a person of a tenant, and what they have used. */
public record Caller(
        TenantId tenant,
        UserId user,
        UserRole role,
        Set<Scope> scopes,
        CallerCredential credential) {
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

    /** An owner of the tenant {@code default} operates the server. */
    public boolean isOperator() {
        return tenant.equals(TenantId.DEFAULT) && role == UserRole.OWNER;
    }
}
