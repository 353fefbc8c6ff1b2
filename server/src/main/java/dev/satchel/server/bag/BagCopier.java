package dev.satchel.server.bag;

import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.conversation.FileAttachment;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.conversation.MessageTree;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.file.FileId;
import dev.satchel.server.objectstore.ObjectStore;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Copies the bag of a conversation to a new one, with the same names. */
public final class BagCopier {
    private final Database database;
    private final BagStore store;
    private final ObjectStore objects;
    private final Clock clock;
    private final BagPathStore paths;

    public BagCopier(Database database, BagStore store, ObjectStore objects, Clock clock) {
        this.database = database;
        this.store = store;
        this.paths = store.paths();
        this.objects = objects;
        this.clock = clock;
    }

    /**
     * Copies the files that the path to a message has. Returns the copy of each by the id of the
     * original. All copies become visible together; the sweeper deletes what a crash leaves.
     */
    public Map<String, FileAttachment> copy(
            Conversation from, MessageTree tree, long message, Conversation to) throws IOException {
        BagId source = new BagId.OfConversation(from.id());
        BagId target = new BagId.OfConversation(to.id());
        Map<String, FileAttachment> copied = new HashMap<>();
        List<BagFile> copies = new ArrayList<>();
        Map<FileId, FileId> ids = new HashMap<>();
        Set<FileId> elsewhere = database.read(tx -> paths.elsewhere(tx, from.id(), tree, message));
        Map<FileId, MessageId> messages = database.read(tx -> paths.messages(tx, from.id()));
        for (BagFile file : database.read(tx -> store.listVersions(tx, source))) {
            if (elsewhere.contains(file.id())) {
                continue;
            }
            BagFile copy = copy(file, target, ids, messages.get(file.id()));
            ids.put(file.id(), copy.id());
            database.change(tx -> reserve(tx, target, copy));
            objects.copy(file.storageKey(), copy.storageKey());
            copies.add(copy);
            copied.put(file.id().value(), copy.attachment());
        }
        database.change(tx -> arriveAll(tx, to, copies));
        return copied;
    }

    /**
     * Versions are copied oldest first, so that the copy of the one before is known. Runs are not
     * copied, so that what they made belongs to their answers.
     */
    private static BagFile copy(
            BagFile file, BagId target, Map<FileId, FileId> ids, @Nullable MessageId message) {
        FileId id = FileId.random();
        FileId before = file.supersedes() == null ? null : ids.get(file.supersedes());
        return new BagFile(
                id,
                file.tenant(),
                message,
                file.name(),
                file.mimeType(),
                file.size(),
                file.sha256(),
                target.versionKey(file.tenant(), file.name(), before == null ? null : id),
                file.source(),
                file.createdAt(),
                file.path(),
                before,
                null);
    }

    /** With the present time: the sweeper would delete a reservation as old as the original. */
    private void reserve(Transaction tx, BagId bag, BagFile copy) {
        BagFile reservation =
                new BagFile(
                        copy.id(),
                        copy.tenant(),
                        null,
                        copy.name(),
                        "",
                        0,
                        "",
                        copy.storageKey(),
                        copy.source(),
                        clock.millis(),
                        copy.path(),
                        copy.supersedes(),
                        null);
        if (!store.reserve(tx, bag, null, reservation)) {
            throw new IllegalStateException("the bag of a new conversation is not empty");
        }
    }

    private void arriveAll(Transaction tx, Conversation to, List<BagFile> copies) {
        if (!store.arriveAll(tx, copies, clock.millis()).isEmpty()) {
            throw new IllegalStateException("a reservation was deleted while its file was copied");
        }
        store.supersede(tx, copies);
        for (BagFile copy : copies) {
            MessageId message = copy.messageId();
            if (message != null) {
                store.attach(tx, to.id(), copy.id(), message);
            }
        }
    }
}
