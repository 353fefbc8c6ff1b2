package dev.satchel.server.dialect;

import dev.satchel.protocol.Json;
import dev.satchel.server.run.RunLogLine;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Tells the lines of one run, from the first on, in a dialect. It depends on nothing but these
 * lines, so whoever comes back later hears the very same.
 */
public final class RunEventTranslator {
    public static final String CUT_SHORT = "The run ended before this step did.";

    private final EventEncoder teller;
    private final List<Object> told = new ArrayList<>();
    private final Set<String> running = new LinkedHashSet<>();
    private final Set<String> known = new LinkedHashSet<>();
    private final StringBuilder text = new StringBuilder();
    private String chatId = "";
    private int parts;
    private boolean textOpen;
    private @Nullable JsonNode closing;

    RunEventTranslator(EventEncoder teller) {
        this.teller = teller;
    }

    /** What a line comes to, in order; nothing for a line that says nothing new. */
    List<Object> tell(RunLogLine line) {
        told.clear();
        JsonNode body = Json.MAPPER.readTree(line.body());
        switch (line.type()) {
            case "chat", "run" -> begin(body);
            case "log" -> told.addAll(teller.logs(body));
            case "delta" -> grow(text(body, "text"));
            case "step" -> step(body);
            case "result", "error" -> closing = body;
            case "end" -> end(text(body, "status"));
            default -> {} // a newer kind of line, which these clients cannot know
        }
        return List.copyOf(told);
    }

    private void begin(JsonNode line) {
        chatId = text(line, "chatId");
        told.addAll(teller.begins(chatId, text(line, "runId")));
    }

    private void grow(String delta) {
        if (delta.isEmpty()) {
            return;
        }
        if (!textOpen) {
            textOpen = true;
            parts++;
            told.addAll(teller.textBegins(parts));
        }
        text.append(delta);
        told.addAll(teller.textGrows(parts, delta));
    }

    private void closeText() {
        if (textOpen) {
            told.addAll(teller.textEnds(parts));
        }
        textOpen = false;
        text.setLength(0);
    }

    private void step(JsonNode line) {
        String id = text(line, "id");
        if (known.add(id)) {
            closeText();
            running.add(id);
            JsonNode args = line.path("args");
            told.addAll(
                    teller.stepBegins(
                            id,
                            text(line, "name"),
                            args.isMissingNode() ? JsonNodeFactory.instance.objectNode() : args));
        }
        if (text(line, "status").equals("running") || !running.remove(id)) {
            return; // a beginning, or a late repetition
        }
        if (text(line, "status").equals("failed")) {
            told.addAll(teller.stepFails(id, line.path("error").stringValue("failed")));
            return;
        }
        JsonNode result = line.path("result");
        told.addAll(
                teller.stepSucceeds(
                        id, result.isMissingNode() ? JsonNodeFactory.instance.nullNode() : result));
    }

    private void end(String status) {
        JsonNode last = closing == null ? JsonNodeFactory.instance.objectNode() : closing;
        boolean succeeded = status.equals("succeeded");
        if (succeeded) {
            completeText(text(last, "message"));
        }
        closeText();
        running.forEach(id -> told.addAll(teller.stepFails(id, CUT_SHORT)));
        if (succeeded) {
            last.path("files")
                    .forEach(file -> told.addAll(teller.handsBack(ProducedFile.of(chatId, file))));
            told.addAll(teller.succeeds(text(last, "messageId")));
        } else if (status.equals("cancelled")) {
            told.addAll(teller.isCancelled(text(last, "message")));
        } else {
            told.addAll(teller.fails(text(last, "code"), text(last, "message")));
        }
    }

    /**
     * Streamed text is the beginning of the answer; should it be another, the answer is told too.
     */
    private void completeText(String answer) {
        if (answer.startsWith(text.toString())) {
            grow(answer.substring(text.length()));
            return;
        }
        closeText();
        grow(answer);
    }

    private static String text(JsonNode line, String field) {
        return line.path(field).stringValue("");
    }
}
