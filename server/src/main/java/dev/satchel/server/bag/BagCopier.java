package dev.satchel.server.bag;

import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.conversation.FileAttachment;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.file.FileId;
import dev.satchel.server.file.FileNames;
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
        for (BagFile file : database.read(tx -> store.list(tx, source))) {
            BagFile copy =
                    new BagFile(
                            FileId.random(),
                            file.tenant(),
                            file.messageId(),
                            file.name(),
                            file.mimeType(),
                            file.size(),
                            file.sha256(),
                            target.key(file.tenant(), file.name()),
                            file.source(),
                            file.createdAt());
            database.change(tx -> reserve(tx, target, copy));
            objects.copy(file.storageKey(), copy.storageKey());
            copies.add(copy);
            copied.put(file.id().value(), copy.attachment());
        }
        database.change(tx -> copies.forEach(copy -> arrive(tx, to, copy)));
        return copied;
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
                        clock.millis());
        if (!store.reserve(tx, bag, null, FileNames.key(copy.name()), reservation)) {
            throw new IllegalStateException("the bag of a new conversation is not empty");
        }
    }

    private void arrive(Transaction tx, Conversation to, BagFile copy) {
        if (!store.arrive(tx, copy, clock.millis())) {
            throw new IllegalStateException("a reservation was deleted while its file was copied");
        }
        MessageId message = copy.messageId();
        if (message != null) {
            store.attach(tx, to.id(), copy.id(), message);
        }
    }
}
