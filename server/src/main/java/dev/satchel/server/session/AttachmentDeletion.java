package dev.satchel.server.session;

import dev.satchel.server.access.Caller;
import dev.satchel.server.bag.BagService;
import dev.satchel.server.bag.WorkspaceCopies;
import dev.satchel.server.bag.WorkspaceCopies.Removal;
import dev.satchel.server.bag.WorkspaceCopy;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.file.FileId;
import dev.satchel.server.turn.ChatService;
import dev.satchel.server.workspace.WorkspaceManager;
import java.util.Locale;
import java.util.Optional;

/** Deletes a file from a bag, and its copy from the workspace unless the agent has changed it. */
public final class AttachmentDeletion {
    private final BagService bags;
    private final ChatService chats;
    private final WorkspaceCopies copies;
    private final WorkspaceManager workspaces;

    public AttachmentDeletion(
            BagService bags,
            ChatService chats,
            WorkspaceCopies copies,
            WorkspaceManager workspaces) {
        this.bags = bags;
        this.chats = chats;
        this.copies = copies;
        this.workspaces = workspaces;
    }

    /** A copy that stays in the workspace; the state is {@code changed} or {@code pending}. */
    public record RemainingCopy(String path, String state) {}

    /** As {@link #delete(Caller, ConversationId, FileId)}, for a file of the caller. */
    Optional<RemainingCopy> delete(Caller caller, FileId file) throws InterruptedException {
        return delete(caller, bags.conversationOf(caller, file), file);
    }

    Optional<RemainingCopy> delete(Caller caller, ConversationId id, FileId file)
            throws InterruptedException {
        Conversation conversation = chats.get(caller, id);
        Optional<WorkspaceCopy> copy = copies.find(id, file);
        bags.delete(id, file);
        if (copy.isEmpty()) {
            return Optional.empty();
        }
        Removal removal = workspaces.removeCopy(conversation, copy.get());
        return removal == Removal.GONE
                ? Optional.empty()
                : Optional.of(
                        new RemainingCopy(
                                copy.get().path(), removal.name().toLowerCase(Locale.ROOT)));
    }
}
