package dev.satchel.cli.output;

import dev.satchel.client.model.Ask;
import dev.satchel.client.model.Event;
import dev.satchel.client.model.RunUsage;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

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
        return asked.isQuestion()
                ? question(asked.question(), asked.options())
                : approval(asked.tool(), asked.args());
    }

    public static String of(Ask ask) {
        return ask.isQuestion()
                ? question(ask.question(), ask.options())
                : approval(ask.tool(), ask.args());
    }

    /** The options have the numbers by which a person chooses them. */
    private static String question(@Nullable String question, List<String> options) {
        StringBuilder text =
                new StringBuilder("? ")
                        .append(Table.plain(Objects.requireNonNullElse(question, "")));
        for (int i = 0; i < options.size(); i++) {
            text.append("  ").append(i + 1).append(": ").append(Table.plain(options.get(i)));
        }
        return text.toString();
    }

    /** One argument is shown without its name: the command is what a person decides about. */
    private static String approval(String tool, @Nullable JsonNode args) {
        String shown =
                args != null && args.size() == 1 && args.values().iterator().next().isString()
                        ? args.values().iterator().next().stringValue()
                        : String.valueOf(args);
        return "? May the agent call %s? %s".formatted(Table.plain(tool), Table.plain(shown));
    }

    public static String of(Event.Resumed resumed) {
        return "The server was interrupted; the run is continued, attempt " + resumed.attempt();
    }

    public static String of(Event.Queued queued) {
        return "Waiting for a free place: number " + queued.position() + " in the queue";
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
