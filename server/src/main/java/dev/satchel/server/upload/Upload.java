package dev.satchel.server.upload;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.file.FileId;
import dev.satchel.server.file.StoredFile;
import dev.satchel.server.objectstore.ObjectKey;
import org.jspecify.annotations.Nullable;

/**
 * A file received into a temporary session. A conversation can claim it. It is then moved: its
 * bytes get a key of the bag of that conversation.
 */
public record Upload(
        FileId id,
        TenantId tenant,
        String session,
        StoredFile file,
        long createdAt,
        @Nullable Claim claim) {

    /** The prefix of the keys of its chunks until it is complete. */
    public String partPrefix() {
        return session + "/parts/" + id.value() + "/";
    }

    /** The conversation that has claimed it, and the key of its bytes in the bag. */
    record Claim(ConversationId conversation, ObjectKey bagKey, boolean moved) {}
}
