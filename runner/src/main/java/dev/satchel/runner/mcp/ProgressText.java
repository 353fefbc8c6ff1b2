package dev.satchel.runner.mcp;

import io.modelcontextprotocol.spec.McpSchema;
import org.jspecify.annotations.Nullable;

/** The progress of a call as a line for a person, such as {@code 2/3 reading pages}. */
final class ProgressText {
    private ProgressText() {}

    static String of(McpSchema.ProgressNotification progress) {
        String done = number(progress.progress());
        String share = progress.total() == null ? done : done + "/" + number(progress.total());
        return progress.message() == null ? share : share + " " + progress.message();
    }

    private static String number(@Nullable Double value) {
        if (value == null) {
            return "?";
        }
        return value == Math.rint(value) ? Long.toString(value.longValue()) : value.toString();
    }
}
