package dev.satchel.server.bag;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.conversation.FileAttachment;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.file.FileId;
import dev.satchel.server.file.StoredFile;
import dev.satchel.server.objectstore.ObjectKey;
import org.jspecify.annotations.Nullable;

/** One file of a bag: a row of {@code assistantChatBagFiles}. */
public record BagFile(
        FileId id,
        TenantId tenant,
        @Nullable MessageId messageId,
        String name,
        String mimeType,
        long size,
        String sha256,
        ObjectKey storageKey,
        String source,
        long createdAt) {

    public static final String FROM_USER = "user";
    public static final String FROM_SANDBOX = "sandbox";

    /** Where the file lies in a workspace, if that path is free. */
    String workspacePath() {
        return source.equals(FROM_SANDBOX) ? "assets/" + name : name;
    }

    public StoredFile stored() {
        return new StoredFile(name, mimeType, size, sha256, storageKey);
    }

    public FileAttachment attachment() {
        return new FileAttachment(id.value(), name, mimeType, size, sha256);
    }
}
