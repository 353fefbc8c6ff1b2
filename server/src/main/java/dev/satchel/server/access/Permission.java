package dev.satchel.server.access;

import static dev.satchel.server.access.Scope.ADMIN;
import static dev.satchel.server.access.Scope.AGENTS;
import static dev.satchel.server.access.Scope.CHAT;
import static dev.satchel.server.access.Scope.FILES;
import static dev.satchel.server.access.Scope.READ;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What a route wants of its caller: a role, and one of some scopes. Every route of known callers
 * declares one; the OpenAPI document prints it.
 */
public enum Permission {
    /** Every known caller. */
    ANY(UserRole.VIEWER),
    READ_CHATS(UserRole.VIEWER, CHAT, READ),
    WRITE_CHATS(UserRole.MEMBER, CHAT),
    READ_FILES(UserRole.VIEWER, FILES, READ),
    WRITE_FILES(UserRole.MEMBER, FILES),
    /** Finds chats and files alike. */
    SEARCH(UserRole.VIEWER, READ),
    /** Has the messages of a chat and its files. */
    EXPORT_CHATS(UserRole.VIEWER, READ),
    READ_AGENTS(UserRole.VIEWER, AGENTS, READ),
    WRITE_AGENTS(UserRole.OWNER, AGENTS),
    ADD_ASSETS(UserRole.MEMBER, FILES),
    DELETE_ASSETS(UserRole.OWNER, FILES),
    READ_USAGE(UserRole.OWNER, ADMIN, READ),
    /** The caller's own keys, login links and browser sessions. */
    MANAGE_OWN_ACCESS(UserRole.VIEWER, ADMIN),
    /** People, credentials of agents and the audit log of the tenant. */
    ADMINISTER(UserRole.OWNER, ADMIN),
    /** What belongs to the whole server: an owner of the tenant {@code default}. */
    OPERATE(UserRole.OWNER, ADMIN);

    private final UserRole role;

    @SuppressWarnings("ImmutableEnumChecker") // List.of cannot be changed
    private final List<Scope> scopes;

    Permission(UserRole role, Scope... scopes) {
        this.role = role;
        this.scopes = List.of(scopes);
    }

    /** As the OpenAPI document has it: a role, or {@code operator}. */
    public String roleWord() {
        return this == OPERATE ? "operator" : role.word();
    }

    /** As the OpenAPI document has them; one is enough, and none are needed if it is empty. */
    public List<String> scopeWords() {
        return scopes.stream().map(Scope::word).toList();
    }

    public boolean isGrantedTo(Caller caller) {
        return hasRole(caller) && hasScope(caller);
    }

    void require(Caller caller) {
        if (!hasRole(caller)) {
            throw forbidden(
                    "this needs the role "
                            + roleWord()
                            + ", and yours is "
                            + caller.role().word()
                            + (this == OPERATE ? " of " + caller.tenant().value() : ""));
        }
        if (!hasScope(caller)) {
            throw forbidden("this needs the scope " + words() + ", which your key does not have");
        }
    }

    private boolean hasRole(Caller caller) {
        return this == OPERATE ? caller.isOperator() : caller.role().includes(role);
    }

    private boolean hasScope(Caller caller) {
        return scopes.isEmpty() || !Collections.disjoint(scopes, caller.scopes());
    }

    private String words() {
        return scopes.stream().map(Scope::word).collect(Collectors.joining(" or "));
    }

    private static SatchelException forbidden(String message) {
        return new SatchelException(ErrorCode.FORBIDDEN, message);
    }
}
