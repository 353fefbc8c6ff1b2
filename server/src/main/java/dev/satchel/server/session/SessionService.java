package dev.satchel.server.session;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.Caller;
import dev.satchel.server.agent.Agent;
import dev.satchel.server.agent.AgentChoice;
import dev.satchel.server.agent.AgentService;
import dev.satchel.server.agent.ChatAgentStore;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.conversation.MessageTree;
import dev.satchel.server.conversation.MessageTree.Span;
import dev.satchel.server.conversation.PersistedMessage;
import dev.satchel.server.conversation.SessionStatus;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.run.RunSetup;
import dev.satchel.server.turn.ChatService;
import dev.satchel.server.workspace.SessionErrors;
import dev.satchel.server.workspace.WorkspaceManager;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.LongStream;

/** Creates sessions and changes their status, with the effects on the workspace. */
public final class SessionService {
    private final Database database;
    private final SessionStore store;
    private final ConversationStore conversations;
    private final ChatAgentStore choices;
    private final ChatService chats;
    private final AgentService agents;
    private final WorkspaceManager workspaces;

    /** A session is a row of its own beside that of its conversation. */
    public record Stores(
            SessionStore sessions, ConversationStore conversations, ChatAgentStore agents) {}

    public SessionService(
            Database database,
            Stores stores,
            ChatService chats,
            AgentService agents,
            WorkspaceManager workspaces) {
        this.database = database;
        this.store = stores.sessions();
        this.conversations = stores.conversations();
        this.choices = stores.agents();
        this.chats = chats;
        this.agents = agents;
        this.workspaces = workspaces;
    }

    Session create(Caller caller, SessionRequest wanted) {
        Agent agent =
                agents.find(caller, wanted.agent())
                        .orElseThrow(
                                () ->
                                        new SatchelException(
                                                ErrorCode.NOT_FOUND,
                                                "Agent \"" + wanted.agent() + "\" not found"));
        Session session =
                new Session(
                        chats.create(caller, null, null),
                        agent.id(),
                        agent.spec().name(),
                        wanted.override(RunSetup.of(agent)),
                        wanted.config(),
                        wanted.model(),
                        null,
                        SessionStatus.ACTIVE);
        database.change(tx -> store.insert(tx, session));
        return session;
    }

    Session of(Conversation conversation) {
        return database.read(tx -> store.find(tx, conversation));
    }

    /** Of the turns that start from now on. */
    Session configure(Session session, SessionConfigRequest changes) {
        session.requireNotEnded();
        if (session.agentId() == null) {
            throw SessionErrors.invalid("Session has no agent of its own to configure");
        }
        ConversationId id = session.conversation().id();
        return database.write(
                tx -> {
                    conversations.lock(tx, id);
                    if (changes.model() != null) { // in place of one that a message named
                        choices.save(tx, id, new AgentChoice(choices.find(tx, id).agent(), null));
                    }
                    Session changed = store.find(tx, session.conversation()).with(changes);
                    store.setConfig(tx, changed);
                    return changed;
                });
    }

    List<Session> list(Caller caller, SessionQuery query) {
        return database.read(
                tx -> {
                    List<Session> sessions = new ArrayList<>();
                    for (ConversationId id : store.list(tx, caller, query)) {
                        conversations
                                .find(tx, caller, id)
                                .ifPresent(found -> sessions.add(store.find(tx, found)));
                    }
                    return sessions;
                });
    }

    long count(Caller caller, SessionQuery query) {
        return database.read(tx -> store.count(tx, caller, query));
    }

    /** A snapshot is taken, which readers see from now on; the live workspace stays for later. */
    Session pause(Caller caller, Session session) throws IOException, InterruptedException {
        require(session, SessionStatus.ACTIVE, "pause");
        Session paused = changeStatus(caller, session, SessionStatus.PAUSED);
        workspaces.save(stopRun(caller, session));
        return paused;
    }

    /** Restores the workspace before the session becomes active. */
    Session resume(Caller caller, Session session) throws IOException, InterruptedException {
        session.requireNotEnded();
        if (session.status() == SessionStatus.ACTIVE) {
            return session;
        }
        workspaces.restoreIfMissing(session.conversation().id());
        Session resumed = changeStatus(caller, session, SessionStatus.ACTIVE);
        resumed.requireNotEnded(); // another request may have ended it
        return resumed;
    }

    Session stop(Caller caller, Session session) throws IOException, InterruptedException {
        require(session, SessionStatus.ACTIVE, "stop");
        Session stopped = changeStatus(caller, session, SessionStatus.STOPPED);
        workspaces.evict(stopRun(caller, session));
        return stopped;
    }

    /** Ends the session, also when it has ended already. Its files stay readable. */
    Session end(Caller caller, Session session) throws IOException, InterruptedException {
        if (session.status() == SessionStatus.ENDED) {
            return session;
        }
        Session ended = changeStatus(caller, session, SessionStatus.ENDED);
        workspaces.evict(stopRun(caller, session));
        return ended;
    }

    /** Messages with a greater number than this, oldest first, with their numbers. */
    List<Numbered> messages(Session session, long after, int limit) {
        Conversation conversation = session.conversation();
        return database.read(tx -> page(tx, conversation, after, limit));
    }

    /** A message and its number in the thread. */
    record Numbered(long number, PersistedMessage message) {}

    /** Of the active path; only its numbers may have gaps, where messages of others are. */
    private List<Numbered> page(Transaction tx, Conversation conversation, long after, int limit) {
        MessageTree tree = conversations.threads().tree(tx, conversation);
        List<Span> path = tree.pathAfter(after, tree.head());
        List<PersistedMessage> found =
                conversations.messages().oldest(tx, conversation.id(), path, limit);
        Iterator<Long> numbers =
                path.stream()
                        .flatMap(span -> LongStream.rangeClosed(span.first(), span.last()).boxed())
                        .iterator();
        return found.stream().map(message -> new Numbered(numbers.next(), message)).toList();
    }

    private static void require(Session session, SessionStatus status, String verb) {
        if (session.status() != status) {
            throw SessionErrors.invalid(
                    "Cannot %s session with status \"%s\""
                            .formatted(verb, session.status().wireName()));
        }
    }

    /** Cancels the active run and returns the conversation. */
    private Conversation stopRun(Caller caller, Session session) throws InterruptedException {
        boolean _ = chats.cancel(caller, session.conversation().id());
        return chats.get(caller, session.conversation().id());
    }

    /** The first step of every change, so that no turn starts during the others. */
    private Session changeStatus(Caller caller, Session session, SessionStatus status) {
        ConversationId id = session.conversation().id();
        database.change(
                tx -> {
                    conversations.lock(tx, id); // a turn that starts now sees the new status
                    store.setStatus(tx, session, status);
                });
        return of(chats.get(caller, id));
    }
}
