package dev.satchel.server.share;

import dev.satchel.http.Fields;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.UserId;
import tools.jackson.databind.JsonNode;

/** Who may read a share, beside the person who shares. */
sealed interface ShareReaders {
    /** Everybody who has the link, without a login. */
    record Link() implements ShareReaders {}

    /** Every person of the tenant. */
    record Tenant() implements ShareReaders {}

    /** One person of the tenant. */
    record Person(UserId user) implements ShareReaders {}

    /** The word for it in rows and responses. */
    default String kind() {
        return switch (this) {
            case Link() -> "link";
            case Tenant() -> "tenant";
            case Person _ -> "user";
        };
    }

    /** Reads {@code "link"}, {@code "tenant"} or {@code {"user": ID}}. */
    static ShareReaders parse(JsonNode with) {
        if (with.isString()) {
            return switch (with.stringValue()) {
                case "link" -> new Link();
                case "tenant" -> new Tenant();
                default -> throw invalid();
            };
        }
        JsonNode user = with.path("user");
        if (with.size() != 1 || !user.isString() || !UserId.isValid(user.stringValue())) {
            throw invalid();
        }
        return new Person(new UserId(user.stringValue()));
    }

    private static SatchelException invalid() {
        return Fields.invalid("with", "must be \"link\", \"tenant\" or {\"user\": ID}");
    }
}
