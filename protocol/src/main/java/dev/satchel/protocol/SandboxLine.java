package dev.satchel.protocol;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * One NDJSON object that a run writes. {@code ts} is Unix epoch milliseconds and may be absent. A
 * line of which values were cut has {@code truncated}, and {@code originalSize}: the bytes of these
 * values before.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public sealed interface SandboxLine {
    @Nullable Long ts();

    /** The value of {@code type} on the wire. */
    @JsonProperty("type")
    default String type() {
        return switch (this) {
            case Log _ -> "log";
            case StepStarted _, StepEnded _ -> "step";
            case Delta _ -> "delta";
            case Thinking _ -> "thinking";
            case Output _ -> "output";
            case Usage _ -> "usage";
            case Retry _ -> "retry";
            case Ask _ -> "ask";
            case Parked _ -> "parked";
            case Resumed _ -> "resumed";
            case Steer _ -> "steer";
            case Journal _ -> "journal";
            case Result _ -> "result";
            case Failure _ -> "error";
        };
    }

    /** Whether this line ends the run; later lines are ignored. */
    default boolean terminal() {
        return this instanceof Result || this instanceof Failure;
    }

    /** Whether nothing follows this line on its connection. */
    default boolean last() {
        return terminal() || this instanceof Parked;
    }

    /** Diagnostics for the run trace, not part of the thread. */
    @JsonPropertyOrder({"type", "level", "message", "truncated", "originalSize", "ts"})
    record Log(
            LogLevel level,
            String message,
            @Nullable Boolean truncated,
            @Nullable Long originalSize,
            @Nullable Long ts)
            implements SandboxLine {
        public Log(LogLevel level, String message, @Nullable Long ts) {
            this(level, message, null, null, ts);
        }
    }

    @JsonPropertyOrder({"type", "id", "name", "status", "args", "truncated", "originalSize", "ts"})
    record StepStarted(
            String id,
            String name,
            @Nullable JsonNode args,
            @Nullable Boolean truncated,
            @Nullable Long originalSize,
            @Nullable Long ts)
            implements SandboxLine {
        public StepStarted(String id, String name, @Nullable JsonNode args, @Nullable Long ts) {
            this(id, name, args, null, null, ts);
        }

        @JsonProperty("status")
        public String status() {
            return "running";
        }
    }

    @JsonPropertyOrder({
        "type",
        "id",
        "name",
        "status",
        "result",
        "error",
        "truncated",
        "originalSize",
        "durationMs",
        "ts"
    })
    record StepEnded(
            String id,
            String name,
            Outcome status,
            @Nullable JsonNode result,
            @Nullable String error,
            @Nullable Boolean truncated,
            @Nullable Long originalSize,
            @Nullable Long durationMs,
            @Nullable Long ts)
            implements SandboxLine {
        public StepEnded(
                String id,
                String name,
                Outcome status,
                @Nullable JsonNode result,
                @Nullable String error,
                @Nullable Long durationMs,
                @Nullable Long ts) {
            this(id, name, status, result, error, null, null, durationMs, ts);
        }

        public enum Outcome {
            @JsonProperty("succeeded")
            SUCCEEDED,
            @JsonProperty("failed")
            FAILED;

            public String wireName() {
                return name().toLowerCase(Locale.ROOT);
            }
        }
    }

    /** A part of the answer of the model; sent only when the dispatch accepts it. */
    @JsonPropertyOrder({"type", "text", "truncated", "originalSize", "ts"})
    record Delta(
            String text,
            @Nullable Boolean truncated,
            @Nullable Long originalSize,
            @Nullable Long ts)
            implements SandboxLine {
        public Delta(String text, @Nullable Long ts) {
            this(text, null, null, ts);
        }
    }

    /** A part of what the model thinks; it is not part of the answer. */
    @JsonPropertyOrder({"type", "text", "truncated", "originalSize", "ts"})
    record Thinking(
            String text,
            @Nullable Boolean truncated,
            @Nullable Long originalSize,
            @Nullable Long ts)
            implements SandboxLine {
        public Thinking(String text, @Nullable Long ts) {
            this(text, null, null, ts);
        }
    }

    /** What the step with this id has printed, while it runs. */
    @JsonPropertyOrder({"type", "id", "stream", "text", "truncated", "originalSize", "ts"})
    record Output(
            String id,
            Stream stream,
            String text,
            @Nullable Boolean truncated,
            @Nullable Long originalSize,
            @Nullable Long ts)
            implements SandboxLine {
        public Output(String id, Stream stream, String text, @Nullable Long ts) {
            this(id, stream, text, null, null, ts);
        }

        public enum Stream {
            @JsonProperty("stdout")
            STDOUT,
            @JsonProperty("stderr")
            STDERR;

            public String wireName() {
                return name().toLowerCase(Locale.ROOT);
            }
        }
    }

    /**
     * The tokens of one call of a model. The four numbers do not overlap: {@code inputTokens} are
     * those that were neither read from a cache nor written to it.
     */
    @JsonPropertyOrder({
        "type",
        "model",
        "provider",
        "inputTokens",
        "outputTokens",
        "cacheReadTokens",
        "cacheWriteTokens",
        "ts"
    })
    record Usage(
            String model,
            @Nullable String provider,
            long inputTokens,
            long outputTokens,
            long cacheReadTokens,
            long cacheWriteTokens,
            @Nullable Long ts)
            implements SandboxLine {
        public Usage {
            if (inputTokens < 0
                    || outputTokens < 0
                    || cacheReadTokens < 0
                    || cacheWriteTokens < 0) {
                throw new IllegalArgumentException("a number of tokens is negative");
            }
        }
    }

    /**
     * A call of the model failed and is repeated after a wait. It withdraws every {@link Delta} and
     * {@link Thinking} since the last step ended or the round began. A round ends with its {@link
     * Usage}. {@code model} is the model that is asked next, which may be a fallback; absent from a
     * runner that does not tell.
     */
    @JsonPropertyOrder({"type", "attempt", "delayMs", "code", "message", "model", "ts"})
    record Retry(
            int attempt,
            long delayMs,
            String code,
            String message,
            @Nullable String model,
            @Nullable Long ts)
            implements SandboxLine {}

    /**
     * A person is asked before the run goes on. The call that waits for the answer has this id as
     * the id of its step. For an approval {@code tool} and {@code args} say what is to be done; a
     * question may have {@code options}, and any other text is an answer too.
     */
    @JsonPropertyOrder({
        "type",
        "id",
        "kind",
        "tool",
        "args",
        "question",
        "options",
        "truncated",
        "originalSize",
        "ts"
    })
    record Ask(
            String id,
            Kind kind,
            String tool,
            @Nullable JsonNode args,
            @Nullable String question,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> options,
            @Nullable Boolean truncated,
            @Nullable Long originalSize,
            @Nullable Long ts)
            implements SandboxLine {
        public Ask {
            options = List.copyOf(options);
        }

        public static Ask approval(String id, String tool, JsonNode args, @Nullable Long ts) {
            return new Ask(id, Kind.APPROVAL, tool, args, null, List.of(), null, null, ts);
        }

        public enum Kind {
            @JsonProperty("approval")
            APPROVAL,
            @JsonProperty("question")
            QUESTION;

            public String wireName() {
                return name().toLowerCase(Locale.ROOT);
            }
        }
    }

    /**
     * The run is continued after its server or its runner was lost; {@code attempt} counts from 2.
     * Written by the server. Like {@link Retry} it withdraws every {@link Delta} and {@link
     * Thinking} since the last step ended or the round began.
     */
    @JsonPropertyOrder({"type", "attempt", "ts"})
    record Resumed(int attempt, @Nullable Long ts) implements SandboxLine {}

    /**
     * The agent has heard a message that a person sent during the run, before its next call of the
     * model.
     */
    @JsonPropertyOrder({"type", "messageId", "text", "ts"})
    record Steer(String messageId, String text, @Nullable Long ts) implements SandboxLine {}

    /**
     * What a runner needs to continue the run; only the runner understands {@code entry}. {@code n}
     * counts from 1 over all attempts. A long entry is split into several lines, and {@code more}
     * is true in all but the last. Sent only when the dispatch accepts it, and never streamed.
     */
    @JsonPropertyOrder({"type", "n", "entry", "more", "ts"})
    record Journal(long n, String entry, @Nullable Boolean more, @Nullable Long ts)
            implements SandboxLine {
        /** Of the whole line. */
        public static final int MAX_BYTES = 1024 * 1024;
    }

    /** The run stops here and is continued later; it ends the connection, not the run. */
    @JsonPropertyOrder({"type", "ts"})
    record Parked(@Nullable Long ts) implements SandboxLine {}

    /**
     * The complete answer, exactly once, after the last step, and the files that stay behind.
     * {@code stopped} says why the agent ended before it was done: {@link #MAX_ROUNDS} or {@link
     * #MAX_TOKENS}. {@code usage} is the sum of all calls of a model. {@code workspaceChanged} is
     * false when the run surely changed no file of its workspace, else absent.
     */
    @JsonPropertyOrder({
        "type",
        "message",
        "notHandedOver",
        "stopped",
        "usage",
        "workspaceChanged",
        "ts"
    })
    record Result(
            String message,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<NotHandedOver> notHandedOver,
            @Nullable String stopped,
            @Nullable RunUsage usage,
            @Nullable Boolean workspaceChanged,
            @Nullable Long ts)
            implements SandboxLine {
        public static final String MAX_ROUNDS = "max_rounds";
        public static final String MAX_TOKENS = "max_tokens";

        public Result {
            notHandedOver = List.copyOf(notHandedOver);
        }

        public Result(String message, List<NotHandedOver> notHandedOver, @Nullable Long ts) {
            this(message, notHandedOver, null, null, null, ts);
        }

        public Result(String message, @Nullable Long ts) {
            this(message, List.of(), null, null, null, ts);
        }
    }

    /** The run could not produce an answer. */
    @JsonPropertyOrder({"type", "code", "message", "ts"})
    record Failure(String code, String message, @Nullable Long ts) implements SandboxLine {}
}
