package dev.satchel.server.conversation;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.satchel.protocol.NotHandedOver;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One message of a thread in the shape clients get.
 *
 * @param parentId the message that this one follows, if a reader of the thread needs it
 * @param siblings all messages that follow the same one, in order; empty if this is the only one
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PersistedMessage(
        String id,
        Role role,
        List<ContentBlock> content,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<FileAttachment> fileAttachments,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<NotHandedOver> notHandedOver,
        @Nullable String runId,
        long createdAt,
        @Nullable String workspace,
        @Nullable String parentId,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> siblings) {

    /** The value of {@code workspace} while the files that the run left are in no snapshot. */
    public static final String PENDING = "pending";

    public PersistedMessage {
        content = List.copyOf(content);
        fileAttachments = List.copyOf(fileAttachments);
        notHandedOver = List.copyOf(notHandedOver);
        siblings = List.copyOf(siblings);
    }

    /** Without its place in the thread. */
    public PersistedMessage(
            String id,
            Role role,
            List<ContentBlock> content,
            List<FileAttachment> fileAttachments,
            List<NotHandedOver> notHandedOver,
            @Nullable String runId,
            long createdAt,
            @Nullable String workspace) {
        this(
                id,
                role,
                content,
                fileAttachments,
                notHandedOver,
                runId,
                createdAt,
                workspace,
                null,
                List.of());
    }

    /** A message whose run, if there is one, handed over everything. */
    public PersistedMessage(
            String id,
            Role role,
            List<ContentBlock> content,
            List<FileAttachment> fileAttachments,
            @Nullable String runId,
            long createdAt) {
        this(id, role, content, fileAttachments, List.of(), runId, createdAt, null);
    }

    /** The same message with its place in the thread. */
    PersistedMessage placed(@Nullable String parent, List<String> all) {
        return new PersistedMessage(
                id,
                role,
                content,
                fileAttachments,
                notHandedOver,
                runId,
                createdAt,
                workspace,
                parent,
                all);
    }

    /**
     * What a model receives of a message of the user. Providers refuse one without text, so files
     * alone are named.
     */
    public String prompt() {
        return prompt(text(), fileAttachments);
    }

    /** As {@link #prompt()}, for a text and files that are not stored as a message. */
    public static String prompt(String text, List<FileAttachment> files) {
        return text.isBlank() ? "Attached: " + names(files) : text;
    }

    /** The names of the attached files in one line. */
    public String fileNames() {
        return names(fileAttachments);
    }

    private static String names(List<FileAttachment> files) {
        return files.stream().map(FileAttachment::name).collect(Collectors.joining(", "));
    }

    /** Whether the turn ended without an answer. */
    boolean isStopped() {
        return content.stream().anyMatch(ContentBlock.End.class::isInstance);
    }

    /** The text without the steps. */
    public String text() {
        return content.stream()
                .filter(ContentBlock.Text.class::isInstance)
                .map(block -> ((ContentBlock.Text) block).text())
                .collect(Collectors.joining("\n\n"));
    }
}
