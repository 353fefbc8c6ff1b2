package dev.satchel.server.session;

import dev.satchel.server.bag.BagCopier;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.conversation.FileAttachment;
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

    /** Returns the copies of the files by the ids of the originals. */
    Map<FileId, FileId> copy(Conversation from, Conversation to) throws IOException {
        Map<String, FileAttachment> files = bags.copy(from, to);
        database.change(tx -> staged.copy(tx, from.id(), to.id()));
        long copied = 0; // numbers have no gaps
        while (copied < from.messageCount()) {
            copied += copyPage(from, to, copied, files);
        }
        Map<FileId, FileId> ids = new HashMap<>();
        files.forEach((id, copy) -> ids.put(new FileId(id), new FileId(copy.id())));
        return ids;
    }

    /** Copies the messages after a number, and returns how many. */
    private int copyPage(
            Conversation from, Conversation to, long after, Map<String, FileAttachment> files) {
        int limit = (int) Math.min(PAGE, from.messageCount() - after);
        return database.write(
                tx -> {
                    List<PersistedMessage> page =
                            conversations.messages().oldestAfter(tx, from.id(), after, limit);
                    if (page.isEmpty()) {
                        throw new IllegalStateException("no message after " + after);
                    }
                    for (PersistedMessage message : page) {
                        conversations.append(tx, to.id(), withFiles(message, files));
                    }
                    return page.size();
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
