package dev.satchel.server.bag;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.file.FileId;
import org.jspecify.annotations.Nullable;

/** A version of a bag file in a response, without its storage key. */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record BagFileView(
        String id,
        String name,
        String mimeType,
        long size,
        String sha256,
        String source,
        @Nullable String messageId,
        long createdAt,
        String path,
        @Nullable String supersedes,
        @Nullable String supersededBy,
        @Nullable String workspacePath) {

    public static BagFileView of(BagFile file) {
        MessageId message = file.messageId();
        return new BagFileView(
                file.id().value(),
                file.name(),
                file.mimeType(),
                file.size(),
                file.sha256(),
                file.source(),
                message == null ? null : message.value(),
                file.createdAt(),
                file.path(),
                id(file.supersedes()),
                id(file.supersededBy()),
                null);
    }

    /** With the path of its copy in the workspace, if there is one. */
    BagFileView at(@Nullable String copy) {
        return new BagFileView(
                id,
                name,
                mimeType,
                size,
                sha256,
                source,
                messageId,
                createdAt,
                path,
                supersedes,
                supersededBy,
                copy);
    }

    private static @Nullable String id(@Nullable FileId version) {
        return version == null ? null : version.value();
    }
}
