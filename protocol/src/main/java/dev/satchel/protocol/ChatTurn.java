package dev.satchel.protocol;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One earlier message, flattened to text; {@code ts} is Unix epoch milliseconds.
 *
 * @param attachments the files of a message of the person, or those that a run handed over; absent
 *     without any
 * @param steps one line for each finished step of an answer; absent without any
 */
public record ChatTurn(
        String role,
        String content,
        long ts,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Attachment> attachments,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> steps) {
    public ChatTurn {
        attachments = List.copyOf(Objects.requireNonNullElse(attachments, List.of()));
        steps = List.copyOf(Objects.requireNonNullElse(steps, List.of()));
    }

    public ChatTurn(String role, String content, long ts) {
        this(role, content, ts, List.of(), List.of());
    }

    /** A file of a message; the hash tells its versions apart and may be absent. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Attachment(String name, String mimeType, long size, @Nullable String sha256) {}
}
