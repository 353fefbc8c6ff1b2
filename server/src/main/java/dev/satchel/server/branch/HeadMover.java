package dev.satchel.server.branch;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.server.branch.PointStore.Point;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.conversation.MessageTree;
import dev.satchel.server.conversation.PersistedMessage;
import dev.satchel.server.conversation.Role;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.snapshot.Snapshot;
import dev.satchel.server.snapshot.SnapshotId;
import dev.satchel.server.snapshot.SnapshotService;
import dev.satchel.server.workspace.WorkspaceRestorer;
import dev.satchel.server.workspace.WorkspaceRestorer.Restored;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Moves the heads of threads, and the files with them. The workspace of a message is the newest
 * snapshot that belongs to it, or to the nearest message before it that has one.
 */
public final class HeadMover {
    private final Database database;
    private final ConversationStore conversations;
    private final SnapshotService snapshots;
    private final WorkspaceRestorer restorer;
    private final PointStore points = new PointStore();

    public HeadMover(
            Database database,
            ConversationStore conversations,
            SnapshotService snapshots,
            WorkspaceRestorer restorer) {
        this.database = database;
        this.conversations = conversations;
        this.snapshots = snapshots;
        this.restorer = restorer;
    }

    /**
     * Gives the workspace the files of a message, and in the same transaction makes a change that
     * moves the head there. What was live is kept for the head that is left. Fails while a run is
     * active.
     */
    public <T> Restored<T> move(
            Conversation conversation, long message, Function<Transaction, T> change)
            throws IOException, InterruptedException {
        Optional<Snapshot> target = find(conversation.id(), message);
        return restorer.switchTo(conversation, target, change);
    }

    /** The files of a message; empty if there were none. */
    public Optional<Snapshot> find(ConversationId conversation, long message) {
        Optional<SnapshotId> point = database.read(tx -> point(tx, conversation, message));
        return point.map(id -> snapshots.find(conversation, id).orElseThrow(HeadMover::gone));
    }

    private Optional<SnapshotId> point(Transaction tx, ConversationId id, long message) {
        MessageTree tree = conversations.threads().tree(tx, id);
        List<Point> all = points.points(tx, id);
        Point nearest = null;
        long before = 0; // a snapshot without a message follows the one before
        for (Point point : all) {
            long at = point.message() == 0 ? before : point.message();
            before = at;
            boolean isOnPath = at == 0 || tree.isOnPath(at, message);
            if (isOnPath && (nearest == null || at >= nearest.message())) {
                nearest = new Point(point.snapshot(), point.number(), at, point.isOfRun());
            }
        }
        if (nearest == null && isCopied(tx, id, all)) {
            throw gone();
        }
        boolean pruned = !all.isEmpty() && all.getLast().number() > all.size();
        long answer = pruned ? lastAnswer(tx, id, tree, message) : 0;
        if (answer > (nearest == null ? 0 : nearest.message())) {
            throw gone();
        }
        return Optional.ofNullable(nearest).map(Point::snapshot);
    }

    /** Whether the first files were those that a fork has copied: it knows none of before. */
    private boolean isCopied(Transaction tx, ConversationId id, List<Point> all) {
        if (all.isEmpty()) {
            return false;
        }
        boolean madeFirst = all.getFirst().number() == 1 && all.getFirst().isOfRun();
        return !madeFirst && conversations.reading().isFork(tx, id);
    }

    /** The last answer of a run on the path to a message, which had a snapshot; 0 for none. */
    private long lastAnswer(Transaction tx, ConversationId id, MessageTree tree, long message) {
        for (long seq = message; seq > 0; seq = tree.parent(seq)) {
            PersistedMessage found = conversations.messages().get(tx, id, seq);
            if (found.role() == Role.ASSISTANT) {
                return seq;
            }
        }
        return 0;
    }

    /** Older files must not be mistaken for those of the message. */
    private static SatchelException gone() {
        return new SatchelException(
                ErrorCode.SNAPSHOT_GONE,
                "the files of that message are no longer kept: their snapshot was deleted");
    }

    /** Makes a message the head, or with 0 none, if it is not; in the transaction of a change. */
    public void setHead(Transaction tx, ConversationId conversation, long seq) {
        MessageTree tree = conversations.threads().tree(tx, conversation);
        if (tree.head() != seq) {
            conversations.threads().setHead(tx, conversation, tree, seq);
        }
    }
}
