package dev.satchel.server.share;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.SatchelException;
import dev.satchel.server.bag.FileDownloads;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.conversation.MessageTree;
import dev.satchel.server.conversation.PersistedMessage;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.file.FileId;
import dev.satchel.server.share.ShareStore.SharedFile;
import dev.satchel.server.snapshot.SnapshotId;
import dev.satchel.server.workspace.WorkspaceService;
import dev.satchel.server.workspace.WorkspaceView;
import dev.satchel.server.workspace.files.FileListing;
import dev.satchel.server.workspace.files.FileRoutes;
import dev.satchel.server.workspace.files.ListedFile;
import dev.satchel.server.workspace.files.ListingFilter;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads what a share shows; whoever calls it has found the share for its reader. */
public final class SharedContents {
    private static final int LISTED = 1000;

    private final Database database;
    private final ShareStore store;
    private final ConversationStore conversations;
    private final WorkspaceService workspaces;
    private final FileDownloads downloads;

    public SharedContents(
            Database database,
            ShareStore store,
            ConversationStore conversations,
            WorkspaceService workspaces,
            FileDownloads downloads) {
        this.database = database;
        this.store = store;
        this.conversations = conversations;
        this.workspaces = workspaces;
        this.downloads = downloads;
    }

    /**
     * A page of the thread, oldest first.
     *
     * @param older the cursor of the page before; null if there is none
     */
    record MessagePage(List<PersistedMessage> messages, @Nullable Long older) {
        MessagePage {
            messages = List.copyOf(messages);
        }
    }

    /** The newest messages of the path that is shared, or those before the one with a number. */
    MessagePage thread(Share share, Optional<Long> before, int limit) {
        return database.read(
                tx -> {
                    MessageTree tree = conversations.threads().tree(tx, chat(tx, share));
                    long end =
                            before.filter(seq -> isShown(tree, share, seq))
                                    .map(tree::parent)
                                    .orElse(share.head());
                    List<PersistedMessage> newestFirst =
                            conversations
                                    .messages()
                                    .newest(tx, share.conversation(), tree.path(end, limit), limit);
                    boolean hasOlder = tree.before(end, newestFirst.size()) > 0;
                    List<Long> numbers = tree.newest(end, newestFirst.size());
                    return new MessagePage(
                            newestFirst.reversed(), hasOlder ? numbers.getLast() : null);
                });
    }

    private static boolean isShown(MessageTree tree, Share share, long seq) {
        return seq > 0 && seq <= share.head() && tree.isOnPath(seq, share.head());
    }

    private Conversation chat(Transaction tx, Share share) {
        return conversations
                .find(tx, share.conversation())
                .filter(chat -> chat.deletedAt() == null)
                .orElseThrow(ShareService::noSuchShare);
    }

    /** The files of the chat, which people and runs put in, in all versions that messages had. */
    List<SharedFile> versions(Share share) {
        return database.read(tx -> store.files(tx, share.id()));
    }

    void send(Exchange exchange, Share share, FileId id) throws IOException {
        SharedFile file =
                database.read(tx -> store.file(tx, share.id(), id))
                        .orElseThrow(SharedContents::noSuchFile);
        downloads.send(exchange, file.stored());
    }

    /**
     * The first files of the workspace.
     *
     * @param more whether there are others
     */
    record Workspace(List<ListedFile> files, boolean more) {
        Workspace {
            files = List.copyOf(files);
        }
    }

    Workspace workspace(Share share) throws IOException {
        SnapshotId snapshot = share.files();
        if (snapshot == null) {
            return new Workspace(List.of(), false);
        }
        try (WorkspaceView view = view(share, snapshot)) {
            List<ListedFile> found =
                    new FileListing(view, ListingFilter.DEFAULT)
                            .after(Optional.empty(), LISTED + 1);
            boolean more = found.size() > LISTED;
            return new Workspace(more ? found.subList(0, LISTED) : found, more);
        }
    }

    void sendOfWorkspace(Exchange exchange, Share share) throws IOException {
        SnapshotId snapshot = share.files();
        if (snapshot == null) {
            throw noSuchFile();
        }
        try (WorkspaceView view = view(share, snapshot)) {
            FileRoutes.send(exchange, view);
        }
    }

    private WorkspaceView view(Share share, SnapshotId snapshot) throws IOException {
        Conversation chat = database.read(tx -> chat(tx, share));
        return workspaces.view(chat, Optional.of(snapshot));
    }

    private static SatchelException noSuchFile() {
        return new SatchelException(ErrorCode.NOT_FOUND, "no such file");
    }
}
