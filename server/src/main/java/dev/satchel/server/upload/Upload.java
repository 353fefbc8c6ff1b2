package dev.satchel.server.upload;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.file.FileId;
import dev.satchel.server.file.StoredFile;
import dev.satchel.server.objectstore.ObjectKey;
import org.jspecify.annotations.Nullable;

/**
 * A file received, at first into a temporary session. A conversation claims it: from then on it
 * belongs there, and as soon as its bytes lie under the bag's key it has moved.
 */
public record Upload(
        FileId id,
        TenantId tenant,
        String session,
        StoredFile file,
        long createdAt,
        @Nullable Claim claim) {

    /** Who has it, and where in the bag its bytes go. */
    record Claim(ConversationId conversation, ObjectKey bagKey, boolean moved) {}
}
