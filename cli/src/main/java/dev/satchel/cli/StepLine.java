package dev.satchel.cli;

import dev.satchel.client.Event;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** One step in one line. */
final class StepLine {
    private static final int LONGEST = 72;
    private static final List<String> TELLING = List.of("command", "path", "pattern", "id");

    private StepLine() {}

    static String of(Event.Step step) {
        return (step.name() + "  " + summary(step.args())).stripTrailing();
    }

    static String outcome(Event.Step step) {
        Long millis = step.durationMs();
        String time = millis == null ? "" : "  " + Words.duration(millis);
        String error = step.error();
        return time + (error == null ? "" : "  " + Words.shortened(error, LONGEST));
    }

    private static String summary(@Nullable JsonNode args) {
        if (args == null || args.isEmpty()) {
            return "";
        }
        for (String field : TELLING) {
            if (args.path(field).isString()) {
                return Words.shortened(args.path(field).stringValue(), LONGEST);
            }
        }
        return Words.shortened(args.toString(), LONGEST);
    }
}
