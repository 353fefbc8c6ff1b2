package dev.satchel.server.session;

import dev.satchel.http.ErrorFormat;
import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.CallerHandler;
import dev.satchel.server.access.Permission;
import dev.satchel.server.conversation.ChatErrors;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.workspace.SessionErrors;
import dev.satchel.server.workspace.SessionLookup;
import dev.satchel.server.workspace.SessionTimestamps;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code /api/sessions}: creates, reads and lists sessions and changes their status. */
public final class SessionRoutes {
    private final SessionService sessions;
    private final SessionForker forker;
    private final SessionLookup lookup;
    private final Authentication access;

    public SessionRoutes(
            SessionService sessions,
            SessionForker forker,
            SessionLookup lookup,
            Authentication access) {
        this.sessions = sessions;
        this.forker = forker;
        this.lookup = lookup;
        this.access = access;
    }

    public void addTo(Router router) {
        router.errorFormat("/api/sessions", ErrorFormat.PLAIN);
        String one = "/api/sessions/{id}";
        router.get("/api/sessions", access.requireCaller(Permission.READ_CHATS, this::list));
        router.post("/api/sessions", access.requireCaller(Permission.WRITE_CHATS, this::create));
        router.get(one, access.requireCaller(Permission.READ_CHATS, this::read));
        router.patch(
                one + "/config", access.requireCaller(Permission.WRITE_CHATS, this::configure));
        router.delete(
                one, access.requireCaller(Permission.WRITE_CHATS, change(200, sessions::end)));
        router.post(
                one + "/pause",
                access.requireCaller(Permission.WRITE_CHATS, change(200, sessions::pause)));
        router.post(
                one + "/resume",
                access.requireCaller(Permission.WRITE_CHATS, change(200, sessions::resume)));
        router.post(
                one + "/stop",
                access.requireCaller(Permission.WRITE_CHATS, change(200, sessions::stop)));
        router.post(one + "/fork", access.requireCaller(Permission.WRITE_CHATS, this::fork));
    }

    /** A change of a session. */
    private interface Change {
        Session apply(Caller caller, Session session) throws IOException, InterruptedException;
    }

    private CallerHandler change(int status, Change change) {
        return (exchange, caller) -> {
            Session before = sessions.of(lookup.find(exchange, caller));
            send(exchange, status, change.apply(caller, before));
        };
    }

    private void create(Exchange exchange, Caller caller) throws IOException {
        send(
                exchange,
                201,
                sessions.create(caller, exchange.readLenientJson(SessionRequest.class)));
    }

    /** The optional body of {@code POST …/fork}; the whole thread without it. */
    record ForkRequest(@Nullable String messageId) {
        static final ForkRequest WHOLE = new ForkRequest(null);

        Optional<MessageId> message() {
            if (messageId == null) {
                return Optional.empty();
            }
            if (!MessageId.isValid(messageId)) {
                throw ChatErrors.noSuchMessage();
            }
            return Optional.of(new MessageId(messageId));
        }
    }

    private void fork(Exchange exchange, Caller caller) throws IOException, InterruptedException {
        Session parent = sessions.of(lookup.find(exchange, caller));
        ForkRequest wanted = exchange.readOptionalJson(ForkRequest.class).orElse(ForkRequest.WHOLE);
        send(exchange, 201, forker.fork(caller, parent, wanted.message()));
    }

    private void read(Exchange exchange, Caller caller) {
        send(exchange, 200, sessions.of(lookup.find(exchange, caller)));
    }

    private void configure(Exchange exchange, Caller caller) throws IOException {
        Session before = sessions.of(lookup.find(exchange, caller));
        SessionConfigRequest changes = exchange.readLenientJson(SessionConfigRequest.class);
        send(exchange, 200, sessions.configure(before, changes));
    }

    private void list(Exchange exchange, Caller caller) {
        SessionQuery query = SessionQuery.of(exchange);
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("sessions", sessions.list(caller, query).stream().map(SessionView::of).toList());
        if (exchange.query("includeTotal").filter("true"::equals).isPresent()) {
            body.put("total", sessions.count(caller, query));
        }
        exchange.json(200, body);
    }

    /** A whole number in the query, within bounds. */
    static int number(Exchange exchange, String name, int fallback, int least, int most) {
        Optional<String> given = exchange.query(name);
        try {
            int number = given.map(Integer::parseInt).orElse(fallback);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw SessionErrors.invalid("querystring/%s must be %d to %d".formatted(name, least, most));
    }

    private static void send(Exchange exchange, int status, Session session) {
        exchange.json(status, Map.of("session", SessionView.of(session)));
    }

    /** A session as JSON; its id is also that of the sandbox, which exists for one turn only. */
    record SessionView(
            String id,
            String tenantId,
            String agentName,
            String sandboxId,
            String status,
            @Nullable String model,
            @Nullable String runnerId,
            @Nullable String parentSessionId,
            @Nullable SessionConfig config,
            String createdAt,
            String lastActiveAt) {

        static SessionView of(Session session) {
            Conversation conversation = session.conversation();
            ConversationId parent = session.parentId();
            return new SessionView(
                    conversation.id().value(),
                    conversation.tenant().value(),
                    session.agentName(),
                    conversation.id().value(),
                    session.status().wireName(),
                    session.model(),
                    null,
                    parent == null ? null : parent.value(),
                    session.config().isEmpty() ? null : session.config(),
                    SessionTimestamps.ofMillis(conversation.createdAt()),
                    SessionTimestamps.ofMillis(conversation.updatedAt()));
        }
    }
}
