package dev.satchel.server.conversation;

/** Where a walk through the deleted conversations stopped. */
public record DeletionCursor(long deletedAt, String id) {
    public static final DeletionCursor START = new DeletionCursor(-1, "");

    public static DeletionCursor after(Conversation conversation) {
        Long deletedAt = conversation.deletedAt();
        return new DeletionCursor(deletedAt == null ? -1 : deletedAt, conversation.id().value());
    }
}
