package dev.satchel.server.bag;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.conversation.FileAttachment;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.file.FileId;
import dev.satchel.server.file.StoredFile;
import dev.satchel.server.objectstore.ObjectKey;
import dev.satchel.server.objectstore.StoredObject;
import org.jspecify.annotations.Nullable;

/**
 * One file of a bag: a row of {@code assistantChatBagFiles}. {@code path} is the path in {@code
 * assets/} of a file that a run handed in, else the name.
 */
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
        long createdAt,
        String path,
        @Nullable FileId supersedes,
        @Nullable FileId supersededBy) {

    /** A first version, at its name. */
    public BagFile(
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
        this(
                id,
                tenant,
                messageId,
                name,
                mimeType,
                size,
                sha256,
                storageKey,
                source,
                createdAt,
                name,
                null,
                null);
    }

    public static final String FROM_USER = "user";
    public static final String FROM_SANDBOX = "sandbox";

    /** Where the file lies in a workspace, if that path is free. */
    String workspacePath() {
        return source.equals(FROM_SANDBOX) ? OutputStore.FOLDER + path : name;
    }

    public StoredFile stored() {
        return new StoredFile(name, mimeType, size, sha256, storageKey);
    }

    public FileAttachment attachment() {
        String shown = source.equals(FROM_SANDBOX) ? path : null;
        return new FileAttachment(id.value(), name, mimeType, size, sha256, shown);
    }

    /** The same row with bytes. */
    BagFile withContent(String type, StoredObject stored) {
        return new BagFile(
                id,
                tenant,
                null,
                name,
                type,
                stored.size(),
                stored.sha256(),
                storageKey,
                source,
                createdAt,
                path,
                supersedes,
                null);
    }
}
