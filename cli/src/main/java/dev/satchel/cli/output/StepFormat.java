package dev.satchel.cli.output;

import dev.satchel.client.model.Event;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Formats a step of a run as one line. */
public final class StepFormat {
    private static final int MAX_LENGTH = 72;
    private static final List<String> SHOWN_FIELDS =
            List.of("command", "path", "pattern", "id", "question");

    private StepFormat() {}

    public static String of(Event.Step step) {
        return (step.name() + "  " + summary(step.args())).stripTrailing();
    }

    public static String outcome(Event.Step step) {
        Long millis = step.durationMs();
        String time = millis == null ? "" : "  " + HumanFormat.duration(millis);
        String error = step.error();
        String reason = error == null ? "" : "  " + HumanFormat.abbreviate(error, MAX_LENGTH);
        return time + reason + cut(step);
    }

    /** The trace has what was cut, up to a limit. */
    private static String cut(Event.Step step) {
        Long size = step.originalSize();
        if (!Boolean.TRUE.equals(step.truncated())) {
            return "";
        }
        return size == null ? "  (cut)" : "  (cut, " + HumanFormat.size(size) + " before)";
    }

    private static String summary(@Nullable JsonNode args) {
        if (args == null || args.isEmpty()) {
            return "";
        }
        for (String field : SHOWN_FIELDS) {
            if (args.path(field).isString()) {
                return HumanFormat.abbreviate(args.path(field).stringValue(), MAX_LENGTH);
            }
        }
        return HumanFormat.abbreviate(args.toString(), MAX_LENGTH);
    }
}
