package dev.satchel.client.model;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * An event of a run: first {@link Started} or {@link RunStarted}, then steps, deltas and what the
 * model and its tools say meanwhile, then {@link Result} or {@link Failure}, last and once {@link
 * End}.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type", defaultImpl = Event.Unknown.class)
@JsonSubTypes({
    @JsonSubTypes.Type(value = Event.Started.class, name = "chat"),
    @JsonSubTypes.Type(value = Event.RunStarted.class, name = "run"),
    @JsonSubTypes.Type(value = Event.Step.class, name = "step"),
    @JsonSubTypes.Type(value = Event.Delta.class, name = "delta"),
    @JsonSubTypes.Type(value = Event.Thinking.class, name = "thinking"),
    @JsonSubTypes.Type(value = Event.Output.class, name = "output"),
    @JsonSubTypes.Type(value = Event.Usage.class, name = "usage"),
    @JsonSubTypes.Type(value = Event.Retry.class, name = "retry"),
    @JsonSubTypes.Type(value = Event.Resumed.class, name = "resumed"),
    @JsonSubTypes.Type(value = Event.Queued.class, name = "queued"),
    @JsonSubTypes.Type(value = Event.Asked.class, name = "ask"),
    @JsonSubTypes.Type(value = Event.Steer.class, name = "steer"),
    @JsonSubTypes.Type(value = Event.Log.class, name = "log"),
    @JsonSubTypes.Type(value = Event.Result.class, name = "result"),
    @JsonSubTypes.Type(value = Event.Failure.class, name = "error"),
    @JsonSubTypes.Type(value = Event.End.class, name = "end")
})
public sealed interface Event {

    /**
     * A turn has begun.
     *
     * @param agentId the agent that answers; null without a saved agent
     * @param notice why another agent or model answers than the chat has named; null if it does not
     */
    record Started(
            String chatId,
            String messageId,
            @Nullable String agentId,
            @Nullable Long agentVersion,
            @Nullable String notice,
            String runId)
            implements Event {}

    /** A run without a chat has begun. */
    record RunStarted(String agentId, @Nullable Long agentVersion, String runId) implements Event {}

    /**
     * A step began or ended; the same id comes once for each. If {@code truncated}, the trace of
     * the run has its values whole; {@code originalSize} is their size in bytes.
     */
    record Step(
            String id,
            String name,
            String status,
            @Nullable JsonNode args,
            @Nullable JsonNode result,
            @Nullable String error,
            @Nullable Boolean truncated,
            @Nullable Long originalSize,
            @Nullable Long durationMs,
            @Nullable Long ts)
            implements Event {

        public boolean isRunning() {
            return status.equals("running");
        }
    }

    /** A piece of the answer while it is being written. */
    record Delta(
            String text,
            @Nullable Boolean truncated,
            @Nullable Long originalSize,
            @Nullable Long ts)
            implements Event {}

    /** A piece of what the model thinks; not part of the answer. */
    record Thinking(
            String text,
            @Nullable Boolean truncated,
            @Nullable Long originalSize,
            @Nullable Long ts)
            implements Event {}

    /** What the step with this id has printed, while it runs. */
    record Output(
            String id,
            String stream,
            String text,
            @Nullable Boolean truncated,
            @Nullable Long originalSize,
            @Nullable Long ts)
            implements Event {}

    /** The tokens of one call of a model, which ends a round. */
    record Usage(
            String model,
            @Nullable String provider,
            long inputTokens,
            long outputTokens,
            long cacheReadTokens,
            long cacheWriteTokens,
            @Nullable Long ts)
            implements Event {}

    /**
     * A call of the model failed and is repeated after a wait. Every {@link Delta} and {@link
     * Thinking} since the last step ended or the round began is withdrawn. {@code model} is asked
     * next, if the runner tells.
     */
    record Retry(
            int attempt,
            long delayMs,
            String code,
            String message,
            @Nullable String model,
            @Nullable Long ts)
            implements Event {}

    /**
     * The run is continued after its server or its runner was lost; {@code attempt} counts from 2.
     * It withdraws as {@link Retry} does.
     */
    record Resumed(int attempt, @Nullable Long ts) implements Event {}

    /** The run waits for a free place, at this place of the queue; it starts now if that is 0. */
    record Queued(long position) implements Event {}

    /**
     * A person must answer before the step with this id begins. The events end with the status
     * {@code waiting} and go on after the answers.
     */
    record Asked(
            String id,
            String kind,
            String tool,
            @Nullable JsonNode args,
            @Nullable String question,
            List<String> options,
            @Nullable Boolean truncated,
            @Nullable Long originalSize,
            @Nullable Long ts)
            implements Event {
        public Asked {
            options = options == null ? List.of() : List.copyOf(options);
        }

        public boolean isQuestion() {
            return kind.equals("question");
        }
    }

    /** The agent has heard a message that a person sent during the run. */
    record Steer(String messageId, String text, @Nullable Long ts) implements Event {}

    /** Only in traces and in the lines of a headless run. */
    record Log(
            String level,
            String message,
            @Nullable Boolean truncated,
            @Nullable Long originalSize,
            @Nullable Long ts)
            implements Event {}

    /**
     * The answer; {@code messageId} is absent for a run without a chat. {@code stopped} says why
     * the agent ended before it was done: {@code max_rounds} or {@code max_tokens}. {@code
     * workspace} is {@code pending} if the files that the run left could not be saved yet.
     */
    record Result(
            String message,
            @Nullable String messageId,
            List<FileInfo> files,
            List<NotHandedOver> notHandedOver,
            @Nullable String stopped,
            @Nullable RunUsage usage,
            @Nullable String workspace,
            @Nullable Long ts)
            implements Event {
        public Result {
            files = files == null ? List.of() : List.copyOf(files);
            notHandedOver = notHandedOver == null ? List.of() : List.copyOf(notHandedOver);
        }
    }

    /** Why there is no answer. */
    record Failure(
            String code,
            String message,
            @Nullable String messageId,
            @Nullable String workspace,
            @Nullable Long ts)
            implements Event {}

    /**
     * {@code succeeded}, {@code failed}, {@code cancelled} or {@code interrupted}; or {@code
     * waiting}, which is not the end of the run.
     */
    record End(String status) implements Event {}

    /** From a newer server; unknown to this client. */
    record Unknown() implements Event {}
}
