package dev.satchel.server.conversation;

import dev.satchel.server.database.Transaction;

/**
 * A place of a thread that a person asks for.
 *
 * @param isExact whether the path ends at the message; otherwise it goes on to the tip below it
 *     that was the head last
 */
public record NewHead(MessageId message, boolean isExact) {
    /** The number of the message at which the path ends. */
    public long find(
            Transaction tx, ThreadStore threads, ConversationId conversation, MessageTree tree) {
        long seq = threads.seqOf(tx, conversation, message).orElseThrow(ChatErrors::noSuchMessage);
        return isExact ? seq : tree.tipBelow(seq);
    }
}
