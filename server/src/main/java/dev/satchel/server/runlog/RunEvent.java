package dev.satchel.server.runlog;

import dev.satchel.protocol.Json;
import dev.satchel.protocol.NotHandedOver;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * A stored line of a run, parsed. Every dialect, the session events and the timeline switch over
 * this type, so that a new kind of line is added here and the compiler names the places to change.
 */
public sealed interface RunEvent {
    /** Epoch milliseconds, when the line carries its time. */
    default @Nullable Long ts() {
        return null;
    }

    /** The first line: which run this is, and of which chat; a headless run has no chat. */
    record Started(String chatId, String runId) implements RunEvent {}

    /** A diagnostic message for the trace; {@code line} is the whole JSON object. */
    record Logged(String message, JsonNode line, @Nullable Long ts) implements RunEvent {}

    record TextDelta(String text, @Nullable Long ts) implements RunEvent {}

    /** A part of what the model thinks. */
    record ThinkingDelta(String text, @Nullable Long ts) implements RunEvent {}

    record StepStarted(String id, String name, JsonNode args, Cut cut, @Nullable Long ts)
            implements RunEvent {}

    /** What a step has printed, while it runs. */
    record StepPrinted(String id, String stream, String text, @Nullable Long ts)
            implements RunEvent {}

    record StepSucceeded(String id, String name, JsonNode result, Cut cut, @Nullable Long ts)
            implements RunEvent {}

    record StepFailed(String id, String name, String error, Cut cut, @Nullable Long ts)
            implements RunEvent {}

    /** The tokens of one call of a model, which ends a round; {@code line} is the JSON object. */
    record ModelUsed(JsonNode line, @Nullable Long ts) implements RunEvent {}

    /**
     * A call of the model is repeated: the text and the thoughts since the last step ended or the
     * round began are withdrawn.
     */
    record Retried(
            int attempt,
            long delayMs,
            String code,
            String message,
            @Nullable String model,
            @Nullable Long ts)
            implements RunEvent {}

    /**
     * A person is asked before the call with this step id begins; a line may be repeated.
     *
     * @param line the whole JSON object
     */
    record Asked(
            String id,
            String kind,
            String tool,
            JsonNode args,
            String question,
            Cut cut,
            JsonNode line,
            @Nullable Long ts)
            implements RunEvent {}

    /**
     * The run is continued; {@code attempt} counts from 2. The text and the thoughts since the last
     * step ended or the round began are withdrawn.
     */
    record Resumed(int attempt, @Nullable Long ts) implements RunEvent {}

    /** The run waits for a free place, at this place of the queue; it starts now if that is 0. */
    record Queued(long position) implements RunEvent {}

    /** The agent has heard a message that a person sent during the run. */
    record Steered(String messageId, String text, @Nullable Long ts) implements RunEvent {}

    /**
     * The whole answer, the files that the run handed in and those that it could not, why it ended
     * early, and its tokens. {@code workspace} is {@code pending} if the files of the workspace
     * were in no snapshot then.
     */
    record Answered(
            String message,
            String messageId,
            List<ProducedFile> files,
            List<NotHandedOver> notHandedOver,
            @Nullable String stopped,
            @Nullable JsonNode usage,
            @Nullable String workspace,
            @Nullable Long ts)
            implements RunEvent {
        public Answered {
            files = List.copyOf(files);
            notHandedOver = List.copyOf(notHandedOver);
        }
    }

    /** The reason why there is no answer. */
    record Failed(String code, String message, @Nullable Long ts) implements RunEvent {}

    /** The last line of every run, and of a stream of a run that waits for people. */
    record Ended(String status) implements RunEvent {}

    /** A kind of line that a newer version has written. */
    record Unknown(String type) implements RunEvent {}

    /** Whether values of a step were cut, and their bytes before; the trace has them whole. */
    record Cut(boolean truncated, @Nullable Long originalSize) {
        public static final Cut NONE = new Cut(false, null);
    }

    /** A file of an answer. */
    record ProducedFile(String id, String name, String mimeType, long size) {}

    static RunEvent parse(RunLogLine line) {
        JsonNode body = Json.MAPPER.readTree(line.body());
        return switch (line.type()) {
            case "chat", "run" -> new Started(text(body, "chatId"), text(body, "runId"));
            case "log" -> new Logged(text(body, "message"), body, time(body));
            case "delta" -> new TextDelta(text(body, "text"), time(body));
            case "thinking" -> new ThinkingDelta(text(body, "text"), time(body));
            case "output" ->
                    new StepPrinted(
                            text(body, "id"), text(body, "stream"), text(body, "text"), time(body));
            case "usage" -> new ModelUsed(body, time(body));
            case "retry" ->
                    new Retried(
                            body.path("attempt").intValue(0),
                            body.path("delayMs").longValue(0),
                            text(body, "code"),
                            text(body, "message"),
                            body.path("model").stringValue(null),
                            time(body));
            case "ask" ->
                    new Asked(
                            text(body, "id"),
                            text(body, "kind"),
                            text(body, "tool"),
                            body.has("args")
                                    ? body.get("args")
                                    : JsonNodeFactory.instance.objectNode(),
                            text(body, "question"),
                            cut(body),
                            body,
                            time(body));
            case "resumed" -> new Resumed(body.path("attempt").intValue(0), time(body));
            case "queued" -> new Queued(body.path("position").longValue(0));
            case "steer" -> new Steered(text(body, "messageId"), text(body, "text"), time(body));
            case "step" -> step(body);
            case "result" ->
                    new Answered(
                            text(body, "message"),
                            text(body, "messageId"),
                            files(body),
                            notHandedOver(body),
                            body.path("stopped").stringValue(null),
                            body.get("usage"),
                            body.path("workspace").stringValue(null),
                            time(body));
            case "error" -> new Failed(text(body, "code"), text(body, "message"), time(body));
            case "end" -> new Ended(text(body, "status"));
            default -> new Unknown(line.type());
        };
    }

    private static RunEvent step(JsonNode body) {
        String id = text(body, "id");
        String name = text(body, "name");
        return switch (text(body, "status")) {
            case "running" ->
                    new StepStarted(
                            id,
                            name,
                            body.has("args")
                                    ? body.get("args")
                                    : JsonNodeFactory.instance.objectNode(),
                            cut(body),
                            time(body));
            case "failed" -> new StepFailed(id, name, text(body, "error"), cut(body), time(body));
            default ->
                    new StepSucceeded(
                            id,
                            name,
                            body.has("result")
                                    ? body.get("result")
                                    : JsonNodeFactory.instance.nullNode(),
                            cut(body),
                            time(body));
        };
    }

    private static Cut cut(JsonNode body) {
        if (!body.path("truncated").booleanValue(false)) {
            return Cut.NONE;
        }
        JsonNode size = body.path("originalSize");
        return new Cut(true, size.isIntegralNumber() ? size.longValue() : null);
    }

    private static List<ProducedFile> files(JsonNode body) {
        List<ProducedFile> files = new ArrayList<>();
        body.path("files")
                .forEach(
                        file ->
                                files.add(
                                        new ProducedFile(
                                                text(file, "id"),
                                                text(file, "name"),
                                                file.path("mimeType")
                                                        .stringValue("application/octet-stream"),
                                                file.path("size").longValue(0))));
        return files;
    }

    private static List<NotHandedOver> notHandedOver(JsonNode body) {
        List<NotHandedOver> files = new ArrayList<>();
        body.path("notHandedOver")
                .forEach(
                        file ->
                                files.add(
                                        new NotHandedOver(
                                                text(file, "path"),
                                                file.path("size").longValue(0),
                                                text(file, "reason"))));
        return files;
    }

    private static String text(JsonNode node, String field) {
        return node.path(field).stringValue("");
    }

    private static @Nullable Long time(JsonNode node) {
        JsonNode ts = node.path("ts");
        return ts.isIntegralNumber() ? ts.longValue() : null;
    }
}
