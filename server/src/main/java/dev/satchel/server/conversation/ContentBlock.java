package dev.satchel.server.conversation;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.satchel.protocol.RunUsage;
import dev.satchel.protocol.SandboxLine.Output.Stream;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** One part of a message, {@code PersistedContentBlock} in the protocol. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = ContentBlock.Text.class, name = "text"),
    @JsonSubTypes.Type(value = ContentBlock.Thinking.class, name = "thinking"),
    @JsonSubTypes.Type(value = ContentBlock.Step.class, name = "step"),
    @JsonSubTypes.Type(value = ContentBlock.Steer.class, name = "steer"),
    @JsonSubTypes.Type(value = ContentBlock.Stopped.class, name = "stopped"),
    @JsonSubTypes.Type(value = ContentBlock.Usage.class, name = "usage"),
    @JsonSubTypes.Type(value = ContentBlock.End.class, name = "end")
})
@JsonInclude(JsonInclude.Include.NON_NULL)
public sealed interface ContentBlock {

    record Text(String text) implements ContentBlock {}

    /** What the model thought; it is not part of the answer. */
    record Thinking(String text) implements ContentBlock {}

    /**
     * What one step did, from its first line to its last. If values of it were cut, {@code
     * truncated} is true, {@code originalSize} has their bytes, and the trace of the run has them.
     * {@code output} is the end of what it printed; before it were {@code outputOmitted}
     * characters.
     */
    record Step(
            String id,
            String name,
            Step.Status status,
            @Nullable JsonNode args,
            @Nullable JsonNode result,
            @Nullable String error,
            @Nullable Long durationMs,
            @Nullable Long startedAt,
            @Nullable Long endedAt,
            @Nullable List<Printed> output,
            @Nullable Long outputOmitted,
            @Nullable Boolean truncated,
            @Nullable Long originalSize)
            implements ContentBlock {
        /** Text that the step has printed to one stream. */
        public record Printed(Stream stream, String text) {}

        public enum Status {
            /** A person must answer before it begins. */
            @JsonProperty("waiting")
            WAITING,
            @JsonProperty("running")
            RUNNING,
            @JsonProperty("succeeded")
            SUCCEEDED,
            @JsonProperty("failed")
            FAILED,
            /** The turn ended before the step did. */
            @JsonProperty("interrupted")
            INTERRUPTED
        }
    }

    /** A message that a person sent during the run, where the agent heard it. */
    record Steer(String messageId, String text) implements ContentBlock {}

    /** The agent answered before it was done: {@code max_rounds} or {@code max_tokens}. */
    record Stopped(String reason) implements ContentBlock {}

    /** The tokens of the run's model calls. */
    record Usage(
            long inputTokens,
            long outputTokens,
            long cacheReadTokens,
            long cacheWriteTokens,
            @Nullable Long costMicros)
            implements ContentBlock {
        public RunUsage counts() {
            return new RunUsage(
                    inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, costMicros);
        }

        static Usage of(RunUsage usage) {
            return new Usage(
                    usage.inputTokens(),
                    usage.outputTokens(),
                    usage.cacheReadTokens(),
                    usage.cacheWriteTokens(),
                    usage.costMicros());
        }
    }

    /** Closes the message of a turn that did not succeed. */
    record End(End.Status status, String code, String message) implements ContentBlock {
        public enum Status {
            @JsonProperty("failed")
            FAILED,
            @JsonProperty("cancelled")
            CANCELLED,
            @JsonProperty("interrupted")
            INTERRUPTED;

            public String wireName() {
                return name().toLowerCase(Locale.ROOT);
            }
        }
    }
}
