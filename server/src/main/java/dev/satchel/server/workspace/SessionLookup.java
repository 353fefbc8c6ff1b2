package dev.satchel.server.workspace;

import dev.satchel.http.Exchange;
import dev.satchel.server.access.Caller;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.database.Database;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Finds the session a request names, with the checks in the order that clients rely on. */
public final class SessionLookup {
    private static final Pattern UUID_FORM =
            Pattern.compile("(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

    private final Database database;
    private final ConversationStore conversations;

    public SessionLookup(Database database, ConversationStore conversations) {
        this.database = database;
        this.conversations = conversations;
    }

    /** The id of the path, which must look like one before anything else is looked at. */
    public static String id(Exchange exchange) {
        String id = exchange.pathParameter("id");
        if (!UUID_FORM.matcher(id).matches()) {
            throw SessionErrors.invalid("params/id must match format \"uuid\"");
        }
        return id;
    }

    /** A query parameter out of a closed set; anything else, or two of it, is refused. */
    public static Optional<String> choice(Exchange exchange, String name, List<String> allowed) {
        List<String> given = exchange.queryAll(name);
        if (given.isEmpty()) {
            return Optional.empty();
        }
        if (given.size() > 1 || !allowed.contains(given.getFirst())) {
            throw SessionErrors.invalid(
                    "querystring/" + name + " must be one of " + String.join(", ", allowed));
        }
        return Optional.of(given.getFirst());
    }

    /** Ids are compared by the letter, so one in capitals is unknown, like another tenant's. */
    public Conversation find(Exchange exchange, Caller caller) {
        String id = id(exchange);
        Optional<Conversation> found =
                ConversationId.isValid(id)
                        ? database.read(
                                tx ->
                                        conversations.find(
                                                tx, caller.tenant(), new ConversationId(id)))
                        : Optional.empty();
        return found.orElseThrow(SessionErrors::noSuchSession);
    }
}
