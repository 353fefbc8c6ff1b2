package dev.satchel.server.session;

import dev.satchel.server.access.Caller;
import dev.satchel.server.branch.HeadMover;
import dev.satchel.server.conversation.ChatErrors;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.conversation.MessageTree;
import dev.satchel.server.conversation.SessionStatus;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.file.FileId;
import dev.satchel.server.snapshot.Snapshot;
import dev.satchel.server.turn.ChatService;
import dev.satchel.server.workspace.SessionErrors;
import dev.satchel.server.workspace.WorkspaceManager;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** Copies sessions up to one of their messages. */
public final class SessionForker {
    private final Database database;
    private final SessionService.Stores stores;
    private final ChatService chats;
    private final ThreadCopier threads;
    private final HeadMover heads;
    private final WorkspaceManager workspaces;

    public SessionForker(
            Database database,
            SessionService.Stores stores,
            ChatService chats,
            ThreadCopier threads,
            HeadMover heads,
            WorkspaceManager workspaces) {
        this.database = database;
        this.stores = stores;
        this.chats = chats;
        this.threads = threads;
        this.heads = heads;
        this.workspaces = workspaces;
    }

    /**
     * A new session with a copy of the path to a message, and of its files. It is visible once it
     * is complete. Fails while a run is active.
     *
     * @param message empty for the head, with the files as they are now
     */
    Session fork(Caller caller, Session parent, Optional<MessageId> message)
            throws IOException, InterruptedException {
        Conversation from = chats.get(caller, parent.conversation().id());
        if (from.activeRunId() != null) {
            throw SessionErrors.runInProgress();
        }
        workspaces.pending().requireAvailable(from.id());
        MessageTree tree = database.read(tx -> conversations().threads().tree(tx, from));
        long last = message.isEmpty() ? tree.head() : number(from, message.get());
        Optional<Snapshot> files =
                last == tree.head() ? workspaces.current(from) : heads.find(from.id(), last);
        Conversation to = chats.draft(caller, from.title(), from.workflowId());
        Map<FileId, FileId> copies = threads.copy(from, tree, last, to);
        if (files.isPresent()) {
            workspaces.copy(files.get(), to, copies);
        }
        Session child = parent.copy(to, SessionStatus.PAUSED, from.id());
        database.change(tx -> publish(tx, caller, parent, child));
        Conversation visible = chats.get(caller, to.id());
        return database.read(tx -> stores.sessions().find(tx, visible));
    }

    private long number(Conversation thread, MessageId message) {
        return database.read(
                tx ->
                        conversations()
                                .threads()
                                .seqOf(tx, thread.id(), message)
                                .orElseThrow(ChatErrors::noSuchMessage));
    }

    private void publish(Transaction tx, Caller caller, Session parent, Session child) {
        ConversationId to = child.conversation().id();
        boolean _ = conversations().restore(tx, caller, to);
        stores.sessions().insert(tx, child);
        stores.agents().save(tx, to, stores.agents().find(tx, parent.conversation().id()));
    }

    private ConversationStore conversations() {
        return stores.conversations();
    }
}
