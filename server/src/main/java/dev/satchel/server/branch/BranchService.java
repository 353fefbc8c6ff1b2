package dev.satchel.server.branch;

import dev.satchel.server.access.Caller;
import dev.satchel.server.conversation.ChatErrors;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.conversation.MessageTree;
import dev.satchel.server.conversation.MessageTree.Span;
import dev.satchel.server.conversation.NewHead;
import dev.satchel.server.conversation.PersistedMessage;
import dev.satchel.server.conversation.SessionStatus;
import dev.satchel.server.conversation.ThreadStore;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.snapshot.Snapshot;
import dev.satchel.server.snapshot.SnapshotId;
import dev.satchel.server.workspace.SessionErrors;
import dev.satchel.server.workspace.WorkspaceRestorer.Restored;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Lists the branches of a thread and makes another one active. */
public final class BranchService {
    private final Database database;
    private final ConversationStore conversations;
    private final ThreadStore threads;
    private final HeadMover mover;

    public BranchService(Database database, ConversationStore conversations, HeadMover mover) {
        this.database = database;
        this.conversations = conversations;
        this.mover = mover;
        this.threads = conversations.threads();
    }

    /**
     * Messages that follow each other, up to the next message that begins a branch.
     *
     * @param number of the first message
     * @param parent the message that the first one follows; null for none
     * @param tip the last message
     * @param isActive whether the active path has the first message
     */
    record Branch(
            long number,
            PersistedMessage first,
            @Nullable String parent,
            String tip,
            long messages,
            boolean isActive) {}

    /** Branches in the order in which they began. */
    record Page(@Nullable String head, List<Branch> branches, @Nullable Long next) {
        Page {
            branches = List.copyOf(branches);
        }
    }

    /** The branches that begin after a message with a number. */
    Page list(Caller caller, ConversationId id, long after, int limit) {
        return database.read(
                tx -> {
                    MessageTree tree = threads.tree(tx, find(tx, caller, id));
                    List<Span> rest =
                            tree.branches().stream().filter(it -> it.first() > after).toList();
                    List<Span> page = rest.subList(0, Math.min(limit, rest.size()));
                    Map<Long, String> ids = threads.ids(tx, id, ends(tree, page));
                    return new Page(
                            ids.get(tree.head()),
                            page.stream().map(it -> branch(tx, id, tree, it, ids)).toList(),
                            page.size() < rest.size() ? page.getLast().first() : null);
                });
    }

    private static Set<Long> ends(MessageTree tree, List<Span> page) {
        Set<Long> numbers = new HashSet<>(Set.of(tree.head()));
        for (Span branch : page) {
            numbers.add(tree.parent(branch.first()));
            numbers.add(branch.last());
        }
        return numbers;
    }

    private Branch branch(
            Transaction tx, ConversationId id, MessageTree tree, Span span, Map<Long, String> ids) {
        return new Branch(
                span.first(),
                conversations.messages().get(tx, id, span.first()),
                ids.get(tree.parent(span.first())),
                String.valueOf(ids.get(span.last())),
                span.length(),
                tree.isOnPath(span.first(), tree.head()));
    }

    /**
     * The active path after a switch.
     *
     * @param head its last message
     * @param messages how many it has
     * @param kept the snapshot of the files that were left, if there were any
     */
    record Active(String head, long messages, @Nullable SnapshotId kept) {}

    /** Makes another path active, with its files. Fails while a run is active. */
    Active switchTo(Caller caller, ConversationId id, NewHead wanted)
            throws IOException, InterruptedException {
        Conversation chat = database.read(tx -> requireFree(tx, caller, id));
        long head = database.read(tx -> wanted.find(tx, threads, id, threads.tree(tx, chat)));
        if (head == chat.headSeq()) {
            return database.read(tx -> active(tx, id, Optional.empty()));
        }
        Restored<Boolean> moved =
                mover.move(
                        chat,
                        head,
                        tx -> {
                            Conversation _ = requireFree(tx, caller, id);
                            mover.setHead(tx, id, head);
                            return true;
                        });
        return database.read(tx -> active(tx, id, moved.kept()));
    }

    private Active active(Transaction tx, ConversationId id, Optional<Snapshot> kept) {
        MessageTree tree = threads.tree(tx, id);
        long head = tree.head();
        return new Active(
                String.valueOf(threads.ids(tx, id, List.of(head)).get(head)),
                tree.length(head),
                kept.map(Snapshot::id).orElse(null));
    }

    private Conversation requireFree(Transaction tx, Caller caller, ConversationId id) {
        Conversation chat = find(tx, caller, id);
        if (conversations.reading().sessionStatus(tx, id) == SessionStatus.ENDED) {
            throw SessionErrors.ended();
        }
        if (chat.activeRunId() != null) {
            throw ChatErrors.turnInProgress(chat);
        }
        return chat;
    }

    private Conversation find(Transaction tx, Caller caller, ConversationId id) {
        return conversations.find(tx, caller, id).orElseThrow(ChatErrors::noSuchChat);
    }
}
