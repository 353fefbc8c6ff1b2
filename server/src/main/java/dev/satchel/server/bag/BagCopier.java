package dev.satchel.server.bag;

import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.conversation.FileAttachment;
import dev.satchel.server.conversation.MessageId;
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

/** Copies the bag of a conversation to a new one, with the same names. */
public final class BagCopier {
    private final Database database;
    private final BagStore store;
    private final ObjectStore objects;
    private final Clock clock;

    public BagCopier(Database database, BagStore store, ObjectStore objects, Clock clock) {
        this.database = database;
        this.store = store;
        this.objects = objects;
        this.clock = clock;
    }

    /**
     * Returns the copy of each file by the id of the original. All copies become visible together;
     * the sweeper deletes what a crash leaves.
     */
    public Map<String, FileAttachment> copy(Conversation from, Conversation to) throws IOException {
        BagId source = new BagId.OfConversation(from.id());
        BagId target = new BagId.OfConversation(to.id());
        Map<String, FileAttachment> copied = new HashMap<>();
        List<BagFile> copies = new ArrayList<>();
        Map<FileId, FileId> ids = new HashMap<>();
        for (BagFile file : database.read(tx -> store.listVersions(tx, source))) {
            BagFile copy = copy(file, target, ids);
            ids.put(file.id(), copy.id());
            database.change(tx -> reserve(tx, target, copy));
            objects.copy(file.storageKey(), copy.storageKey());
            copies.add(copy);
            copied.put(file.id().value(), copy.attachment());
        }
        database.change(tx -> arriveAll(tx, to, copies));
        return copied;
    }

    /** Versions are copied oldest first, so that the copy of the one before is known. */
    private static BagFile copy(BagFile file, BagId target, Map<FileId, FileId> ids) {
        FileId id = FileId.random();
        FileId before = file.supersedes() == null ? null : ids.get(file.supersedes());
        return new BagFile(
                id,
                file.tenant(),
                file.messageId(),
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
