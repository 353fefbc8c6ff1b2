package dev.satchel.server.share;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Fields;
import dev.satchel.http.SatchelException;
import dev.satchel.http.paging.PageRequest;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.CallerSecret;
import dev.satchel.server.access.User;
import dev.satchel.server.access.UserStore;
import dev.satchel.server.audit.AuditEvent;
import dev.satchel.server.audit.AuditStore;
import dev.satchel.server.bag.BagFile;
import dev.satchel.server.bag.BagService;
import dev.satchel.server.conversation.ChatErrors;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.conversation.MessageTree;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.file.FileId;
import dev.satchel.server.snapshot.Snapshot;
import dev.satchel.server.workspace.WorkspaceManager;
import java.io.IOException;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Shares chats, and ends it. A share names the last message of the active path, the files of that
 * path and the newest snapshot, all of which never change; so it costs no copy.
 */
public final class ShareService {
    private final Database database;
    private final ShareStore store;
    private final ConversationStore conversations;
    private final UserStore users;
    private final BagService bags;
    private final WorkspaceManager workspaces;
    private final Clock clock;
    private final AuditStore audit = new AuditStore();

    /** The stores that it reads and writes. */
    public record Stores(ShareStore shares, ConversationStore conversations, UserStore users) {}

    public ShareService(
            Database database,
            Stores stores,
            BagService bags,
            WorkspaceManager workspaces,
            Clock clock) {
        this.database = database;
        this.store = stores.shares();
        this.conversations = stores.conversations();
        this.users = stores.users();
        this.bags = bags;
        this.workspaces = workspaces;
        this.clock = clock;
    }

    /** The same for an unknown share, one that has ended, and one of others. */
    static SatchelException noSuchShare() {
        return new SatchelException(ErrorCode.NOT_FOUND, "no such share");
    }

    /**
     * A new share.
     *
     * @param token of the link, which is not stored; null for the other kinds
     */
    record Created(Share share, @Nullable CallerSecret token) {}

    /** Shares the chat as it is now. Fails while a run is active. */
    Created create(Caller caller, ConversationId id, ShareReaders readers, @Nullable Long until)
            throws IOException, InterruptedException {
        if (until != null && until <= clock.millis()) {
            throw Fields.invalid("until", "must be in the future");
        }
        Conversation chat = database.read(tx -> requireFree(tx, caller, id));
        Optional<Snapshot> files = workspaces.current(chat);
        CallerSecret token = readers instanceof ShareReaders.Link ? CallerSecret.random("") : null;
        Share share =
                new Share(
                        ShareId.random(),
                        caller.tenant(),
                        caller.user(),
                        null,
                        id,
                        readers,
                        chat.title(),
                        chat.headSeq(),
                        files.map(Snapshot::id).orElse(null),
                        clock.millis(),
                        until);
        database.change(tx -> insert(tx, caller, share, token));
        return new Created(share, token);
    }

    private Conversation requireFree(Transaction tx, Caller caller, ConversationId id) {
        Conversation chat = conversations.find(tx, caller, id).orElseThrow(ChatErrors::noSuchChat);
        if (chat.activeRunId() != null) {
            throw ChatErrors.turnInProgress(chat);
        }
        return chat;
    }

    /** The lock keeps the snapshot, and the head where it is. */
    private void insert(Transaction tx, Caller caller, Share share, @Nullable CallerSecret token) {
        boolean _ = conversations.lock(tx, share.conversation());
        Conversation chat = requireFree(tx, caller, share.conversation());
        if (chat.headSeq() != share.head()) {
            throw changedMeanwhile();
        }
        if (share.readers() instanceof ShareReaders.Person(var reader)) {
            User _ =
                    users.find(tx, caller.tenant(), reader)
                            .orElseThrow(
                                    () -> Fields.invalid("with", "names no person of the tenant"));
        }
        MessageTree tree = conversations.threads().tree(tx, chat);
        List<FileId> files =
                bags.ofPath(tx, chat.id(), tree, share.head()).stream().map(BagFile::id).toList();
        if (!store.insert(tx, share, token == null ? null : token.hash(), files)) {
            throw changedMeanwhile();
        }
        audit.add(tx, event(caller, share, "share"), clock.millis());
    }

    private static SatchelException changedMeanwhile() {
        return new SatchelException(
                ErrorCode.CONFLICT, "the chat has changed while it was shared; try again");
    }

    /** What the caller shares of a chat. */
    List<Share> list(Caller caller, ConversationId id) {
        return database.read(
                tx -> {
                    Conversation chat =
                            conversations.find(tx, caller, id).orElseThrow(ChatErrors::noSuchChat);
                    return store.ofChat(tx, caller, chat.id(), clock.millis());
                });
    }

    /** Ends a share at once. */
    void revoke(Caller caller, ConversationId id, ShareId share) {
        database.change(
                tx -> {
                    Share found =
                            store.ofChat(tx, caller, id, clock.millis()).stream()
                                    .filter(one -> one.id().equals(share))
                                    .findFirst()
                                    .orElseThrow(ShareService::noSuchShare);
                    store.delete(tx, share);
                    audit.add(tx, event(caller, found, "revoke"), clock.millis());
                });
    }

    private static AuditEvent event(Caller caller, Share share, String what) {
        Map<String, String> detail =
                new HashMap<>(Map.of("what", what, "with", share.readers().kind()));
        if (share.readers() instanceof ShareReaders.Person(var reader)) {
            detail.put("reader", reader.value());
        }
        String chat = share.conversation().value();
        return AuditEvent.allowed(
                        caller.tenant(), chat, AuditEvent.Action.SHARE, share.id().value())
                .by(caller)
                .with(detail);
    }

    /** What others share with the caller, newest first. */
    List<Share> withCaller(Caller caller, PageRequest page) {
        return database.read(tx -> store.withCaller(tx, caller, page, clock.millis()));
    }

    /** A share that the caller has made or may read. */
    Share get(Caller caller, ShareId id) {
        return database.read(tx -> store.find(tx, caller, id, clock.millis()))
                .orElseThrow(ShareService::noSuchShare);
    }

    /** The share of a link. */
    Optional<Share> find(CallerSecret token) {
        return database.read(tx -> store.find(tx, token.hash(), clock.millis()));
    }

    /** Deletes shares that have ended by themselves, so that their snapshots can go. */
    public void sweep() {
        int deleted = 1;
        while (deleted > 0 && !Thread.currentThread().isInterrupted()) {
            deleted = database.write(tx -> store.dropExpired(tx, clock.millis()));
        }
    }
}
