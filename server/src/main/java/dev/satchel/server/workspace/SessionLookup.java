package dev.satchel.server.workspace;

import dev.satchel.http.Exchange;
import dev.satchel.server.access.Caller;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.conversation.RunConversationStore;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.regex.Pattern;

/** Finds the session of a request; checks in the order that clients rely on. */
public final class SessionLookup {
    private static final Pattern UUID_FORMAT =
            Pattern.compile("(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

    private final Database database;
    private final ConversationStore conversations;
    private final RunConversationStore runs;

    public SessionLookup(
            Database database, ConversationStore conversations, RunConversationStore runs) {
        this.database = database;
        this.conversations = conversations;
        this.runs = runs;
    }

    /** The id in the path. Its format is checked before anything else. */
    public static String id(Exchange exchange) {
        String id = exchange.pathParameter("id");
        if (!UUID_FORMAT.matcher(id).matches()) {
            throw SessionErrors.invalid("params/id must match format \"uuid\"");
        }
        return id;
    }

    /** A query parameter with one of the allowed values; refuses others and repetitions. */
    public static Optional<String> choice(Exchange exchange, String name, List<String> allowed) {
        List<String> values = exchange.queryAll(name);
        if (values.isEmpty()) {
            return Optional.empty();
        }
        if (values.size() > 1 || !allowed.contains(values.getFirst())) {
            throw SessionErrors.invalid(
                    "querystring/" + name + " must be one of " + String.join(", ", allowed));
        }
        return Optional.of(values.getFirst());
    }

    /** Ids are case-sensitive. A session of another person is not found. */
    public Conversation find(Exchange exchange, Caller caller) {
        return find(exchange, (tx, id) -> conversations.find(tx, caller, id));
    }

    /** As {@link #find}, and headless runs too, whose files are read by the id of the run. */
    public Conversation findReadable(Exchange exchange, Caller caller) {
        return find(exchange, (tx, id) -> runs.findAny(tx, caller, id));
    }

    private Conversation find(
            Exchange exchange,
            BiFunction<Transaction, ConversationId, Optional<Conversation>> query) {
        String id = id(exchange);
        Optional<Conversation> found =
                ConversationId.isValid(id)
                        ? database.read(tx -> query.apply(tx, new ConversationId(id)))
                        : Optional.empty();
        return found.orElseThrow(SessionErrors::noSuchSession);
    }
}
