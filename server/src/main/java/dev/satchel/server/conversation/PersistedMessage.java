package dev.satchel.server.conversation;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One message of a thread in the shape clients get. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PersistedMessage(
        String id,
        Role role,
        List<ContentBlock> content,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<FileAttachment> fileAttachments,
        @Nullable String runId,
        long createdAt) {

    public PersistedMessage {
        content = List.copyOf(content);
        fileAttachments = List.copyOf(fileAttachments);
    }

    /** The text without the steps, as later turns receive it. */
    public String text() {
        return content.stream()
                .filter(ContentBlock.Text.class::isInstance)
                .map(block -> ((ContentBlock.Text) block).text())
                .collect(Collectors.joining("\n\n"));
    }
}
