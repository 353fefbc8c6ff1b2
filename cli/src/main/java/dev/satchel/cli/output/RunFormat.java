package dev.satchel.cli.output;

import dev.satchel.client.model.Event;
import dev.satchel.client.model.RunUsage;
import java.util.Locale;

/** Formats what a run says beside its steps and its answer. */
public final class RunFormat {
    private RunFormat() {}

    public static String of(Event.Retry retry) {
        String message = Table.plain(retry.message());
        if (retry.delayMs() == 0) {
            return message; // it says what comes next
        }
        String model = retry.model() == null ? "" : ", " + Table.plain(retry.model());
        return "%s Trying again in %s (try %d%s)."
                .formatted(message, delay(retry.delayMs()), retry.attempt() + 1, model);
    }

    public static String of(Event.Asked asked) {
        if (asked.isQuestion()) {
            String options = asked.options().isEmpty() ? "" : " " + asked.options();
            return "? " + Table.plain(asked.question() + options);
        }
        return "? May the agent call %s? %s"
                .formatted(Table.plain(asked.tool()), Table.plain(String.valueOf(asked.args())));
    }

    public static String of(Event.Resumed resumed) {
        return "The server was interrupted; the run is continued, attempt " + resumed.attempt();
    }

    private static String delay(long millis) {
        return millis < 1_000 ? millis + " ms" : Math.round(millis / 1_000.0) + " s";
    }

    /** Why an agent ended before it was done. */
    public static String stopped(String reason) {
        return switch (reason) {
            case "max_rounds" -> "Stopped at the limit of rounds; the task may not be finished.";
            case "max_tokens" -> "Stopped at the token limit of the model; the answer may be cut.";
            default -> "Stopped: " + Table.plain(reason);
        };
    }

    public static String of(RunUsage usage) {
        long input = usage.inputTokens() + usage.cacheReadTokens() + usage.cacheWriteTokens();
        String tokens =
                String.format(Locale.ROOT, "%,d tokens in, %,d out", input, usage.outputTokens());
        String cached =
                usage.cacheReadTokens() == 0
                        ? ""
                        : String.format(Locale.ROOT, ", %,d cached", usage.cacheReadTokens());
        Long cost = usage.costMicros();
        String dollars = cost == null ? "" : String.format(Locale.ROOT, ", $%.4f", cost / 1e6);
        return tokens + cached + dollars;
    }

    /** The tokens of one call. */
    public static RunUsage usage(Event.Usage call) {
        return new RunUsage(
                call.inputTokens(),
                call.outputTokens(),
                call.cacheReadTokens(),
                call.cacheWriteTokens(),
                null);
    }
}
