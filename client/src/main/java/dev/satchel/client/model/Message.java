package dev.satchel.client.model;

import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One message of a thread; {@code role} is {@code user} or {@code assistant}. {@code workspace} is
 * {@code pending} while the files that its run left are not saved.
 */
public record Message(
        String id,
        String role,
        List<ContentBlock> content,
        List<FileInfo> fileAttachments,
        List<NotHandedOver> notHandedOver,
        @Nullable String runId,
        Instant createdAt,
        @Nullable String workspace) {

    public Message {
        content = List.copyOf(content);
        fileAttachments = fileAttachments == null ? List.of() : List.copyOf(fileAttachments);
        notHandedOver = notHandedOver == null ? List.of() : List.copyOf(notHandedOver);
    }

    /** What it says, without the steps. */
    public String text() {
        return content.stream()
                .filter(ContentBlock.Text.class::isInstance)
                .map(block -> ((ContentBlock.Text) block).text())
                .collect(Collectors.joining("\n\n"));
    }
}
