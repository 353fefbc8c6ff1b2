package dev.satchel.server.turn;

import dev.satchel.server.access.Caller;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.bag.BagFile;
import dev.satchel.server.bag.BagId;
import dev.satchel.server.bag.BagService;
import dev.satchel.server.bag.BagStore;
import dev.satchel.server.bag.BagWriter;
import dev.satchel.server.conversation.ChatErrors;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.FileAttachment;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.file.FileId;
import dev.satchel.server.queue.QueuedMessage;
import dev.satchel.server.turn.TurnRequest.Message;
import dev.satchel.server.upload.UploadClaims;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The files of a turn: moves those of a request into the conversation's bag and attaches them. */
public final class TurnFiles {
    private final UploadClaims claims;
    private final BagService bags;
    private final BagStore store;

    public TurnFiles(UploadClaims claims, BagService bags, BagStore store) {
        this.claims = claims;
        this.bags = bags;
        this.store = store;
    }

    /** Creates a conversation with these uploads, or returns the one that has claimed them. */
    ConversationId claimIntoNew(Caller caller, List<FileId> uploads) throws IOException {
        return claims.intoNew(caller, uploads);
    }

    /** Puts all files of a message into the bag and returns the message with them attached. */
    Message store(Caller caller, ConversationId conversation, Message message) throws IOException {
        List<FileId> attachments = new ArrayList<>(message.attachments());
        if (!message.uploads().isEmpty()) {
            claims.into(caller, conversation, message.uploads());
            attachments.addAll(message.uploads());
        }
        if (!message.inlineFiles().isEmpty()) {
            attachments.addAll(storeInline(caller.tenant(), conversation, message.inlineFiles()));
        }
        return Message.of(message.id(), message.text(), attachments);
    }

    private List<FileId> storeInline(
            TenantId tenant, ConversationId conversation, List<InlineFile> files)
            throws IOException {
        try (BagWriter writer = bags.fromPerson(tenant, new BagId.OfConversation(conversation))) {
            for (InlineFile file : files) {
                writer.receive(file.name(), new ByteArrayInputStream(file.bytes()));
            }
            return writer.commit(_ -> {}).stream().map(BagFile::id).toList();
        }
    }

    /** Marks the attachments of a message as taken and returns them. */
    List<FileAttachment> attach(Transaction tx, ConversationId conversation, Message message) {
        List<FileAttachment> attached = find(tx, conversation, message);
        message.attachments().forEach(id -> store.attach(tx, conversation, id, message.id()));
        return attached;
    }

    /** The files of a queued message that were not deleted meanwhile. */
    List<FileAttachment> existing(Transaction tx, QueuedMessage message) {
        BagId bag = new BagId.OfConversation(message.conversation());
        return message.attachments().stream()
                .flatMap(id -> store.find(tx, bag, id).stream())
                .map(BagFile::attachment)
                .toList();
    }

    /** The files of a message that will not be sent can be attached to another. */
    void detach(Transaction tx, ConversationId conversation, MessageId message) {
        store.detach(tx, conversation, message);
    }

    /** The attachments of a message; each must be a file of the conversation. */
    List<FileAttachment> find(Transaction tx, ConversationId conversation, Message message) {
        BagId bag = new BagId.OfConversation(conversation);
        return message.attachments().stream()
                .map(
                        id ->
                                store.find(tx, bag, id)
                                        .orElseThrow(() -> ChatErrors.unknownAttachment(id.value()))
                                        .attachment())
                .toList();
    }
}
