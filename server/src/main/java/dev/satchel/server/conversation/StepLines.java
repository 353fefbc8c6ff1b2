package dev.satchel.server.conversation;

import dev.satchel.server.conversation.ContentBlock.Step;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The finished steps of an answer, a line for each: a later turn knows from them what was done. */
final class StepLines {
    private static final int MAX_STEPS = 50;
    private static final int MAX_ARGUMENTS = 120;
    private static final int MAX_ERROR = 80;

    private StepLines() {}

    /** The newest steps; the first line counts those that are left out. */
    static List<String> of(List<ContentBlock> content) {
        List<String> lines = new ArrayList<>();
        for (ContentBlock block : content) {
            if (block instanceof Step step && step.endedAt() != null) {
                lines.add(line(step));
            } else if (block instanceof ContentBlock.Steer heard) {
                lines.add("(the person said meanwhile) " + heard.text());
            }
        }
        int leftOut = lines.size() - MAX_STEPS;
        if (leftOut <= 0) {
            return lines;
        }
        List<String> newest = new ArrayList<>(lines.subList(leftOut, lines.size()));
        newest.addFirst("(" + leftOut + " earlier steps)");
        return newest;
    }

    private static String line(Step step) {
        String arguments = shortened(text(step.args()), MAX_ARGUMENTS);
        String error = step.error();
        return error == null
                ? step.name() + " " + arguments
                : step.name() + " " + arguments + " failed: " + shortened(error, MAX_ERROR);
    }

    private static String text(@Nullable JsonNode arguments) {
        return arguments == null ? "" : arguments.toString();
    }

    private static String shortened(String text, int limit) {
        String line = text.replaceAll("\\s+", " ").strip();
        if (line.length() <= limit) {
            return line;
        }
        int end = Character.isHighSurrogate(line.charAt(limit - 1)) ? limit - 1 : limit;
        return line.substring(0, end) + "…";
    }
}
