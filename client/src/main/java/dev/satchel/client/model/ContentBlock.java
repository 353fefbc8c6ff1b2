package dev.satchel.client.model;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** One piece of a message. */
@JsonTypeInfo(
        use = JsonTypeInfo.Id.NAME,
        property = "type",
        defaultImpl = ContentBlock.Unknown.class)
@JsonSubTypes({
    @JsonSubTypes.Type(value = ContentBlock.Text.class, name = "text"),
    @JsonSubTypes.Type(value = ContentBlock.Thinking.class, name = "thinking"),
    @JsonSubTypes.Type(value = ContentBlock.Step.class, name = "step"),
    @JsonSubTypes.Type(value = ContentBlock.Steer.class, name = "steer"),
    @JsonSubTypes.Type(value = ContentBlock.Stopped.class, name = "stopped"),
    @JsonSubTypes.Type(value = ContentBlock.Usage.class, name = "usage"),
    @JsonSubTypes.Type(value = ContentBlock.End.class, name = "end")
})
public sealed interface ContentBlock {

    record Text(String text) implements ContentBlock {}

    /** What the model thought; not part of the answer. */
    record Thinking(String text) implements ContentBlock {}

    /**
     * What one step did, from its first line to its last. If {@code truncated}, the trace of the
     * run has its values whole. {@code output} is the end of what it printed; before it were {@code
     * outputOmitted} characters.
     */
    record Step(
            String id,
            String name,
            String status,
            @Nullable JsonNode args,
            @Nullable JsonNode result,
            @Nullable String error,
            @Nullable Long durationMs,
            List<Printed> output,
            @Nullable Long outputOmitted,
            @Nullable Boolean truncated,
            @Nullable Long originalSize)
            implements ContentBlock {
        public Step {
            output = output == null ? List.of() : List.copyOf(output);
        }

        /** Text that was printed to {@code stdout} or {@code stderr}. */
        public record Printed(String stream, String text) {}
    }

    /** A message that a person sent during the run, where the agent heard it. */
    record Steer(String messageId, String text) implements ContentBlock {}

    /** The agent answered before it was done: {@code max_rounds} or {@code max_tokens}. */
    record Stopped(String reason) implements ContentBlock {}

    /** The tokens of the run. */
    record Usage(
            long inputTokens,
            long outputTokens,
            long cacheReadTokens,
            long cacheWriteTokens,
            @Nullable Long costMicros)
            implements ContentBlock {}

    /** Closes the message of a turn that did not succeed. */
    record End(String status, String code, String message) implements ContentBlock {}

    /** From a newer server; unknown to this client. */
    record Unknown() implements ContentBlock {}
}
