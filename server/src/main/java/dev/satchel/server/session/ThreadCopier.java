package dev.satchel.server.session;

import dev.satchel.server.bag.BagCopier;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.conversation.FileAttachment;
import dev.satchel.server.conversation.MessageTree;
import dev.satchel.server.conversation.MessageTree.Span;
import dev.satchel.server.conversation.PersistedMessage;
import dev.satchel.server.database.Database;
import dev.satchel.server.file.FileId;
import dev.satchel.server.staging.StagedCopyStore;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Copies the messages of a conversation, their files and its staged copies into a new one. */
public final class ThreadCopier {
    private static final int PAGE = 500;

    private final Database database;
    private final ConversationStore conversations;
    private final BagCopier bags;
    private final StagedCopyStore staged;

    public ThreadCopier(
            Database database,
            ConversationStore conversations,
            BagCopier bags,
            StagedCopyStore staged) {
        this.database = database;
        this.conversations = conversations;
        this.bags = bags;
        this.staged = staged;
    }

    /**
     * Copies the path to a message.
     *
     * @return the copies of the files by the ids of the originals
     */
    Map<FileId, FileId> copy(Conversation from, MessageTree tree, long message, Conversation to)
            throws IOException {
        Map<String, FileAttachment> files = bags.copy(from, tree, message, to);
        database.change(tx -> staged.copy(tx, from.id(), to.id()));
        long copied = 0;
        while (copied < message) {
            copied = copyPage(from, to, tree.pathAfter(copied, message), files);
        }
        Map<FileId, FileId> ids = new HashMap<>();
        files.forEach((id, copy) -> ids.put(new FileId(id), new FileId(copy.id())));
        return ids;
    }

    /** Copies the oldest messages of a path and returns the number of the last one. */
    private long copyPage(
            Conversation from,
            Conversation to,
            List<Span> path,
            Map<String, FileAttachment> files) {
        return database.write(
                tx -> {
                    List<PersistedMessage> page =
                            conversations.messages().oldest(tx, from.id(), path, PAGE);
                    for (PersistedMessage message : page) {
                        conversations.threads().append(tx, to.id(), withFiles(message, files));
                    }
                    return MessageTree.number(path, page.size());
                });
    }

    /** The same message with the copies of its files. */
    private static PersistedMessage withFiles(
            PersistedMessage message, Map<String, FileAttachment> files) {
        return new PersistedMessage(
                message.id(),
                message.role(),
                message.content(),
                message.fileAttachments().stream()
                        .map(file -> files.getOrDefault(file.id(), file))
                        .toList(),
                message.notHandedOver(),
                message.runId(),
                message.createdAt(),
                null);
    }
}
