package dev.satchel.server.dialect.aisdk;

import dev.satchel.server.dialect.EventEncoder;
import dev.satchel.server.dialect.JsonObjects;
import dev.satchel.server.dialect.StreamEvent;
import dev.satchel.server.dialect.StreamEvent.FileNotHandedOver;
import dev.satchel.server.dialect.StreamEvent.FileProduced;
import dev.satchel.server.dialect.StreamEvent.Logged;
import dev.satchel.server.dialect.StreamEvent.RunCancelled;
import dev.satchel.server.dialect.StreamEvent.RunFailed;
import dev.satchel.server.dialect.StreamEvent.RunStarted;
import dev.satchel.server.dialect.StreamEvent.RunSucceeded;
import dev.satchel.server.dialect.StreamEvent.StepFailed;
import dev.satchel.server.dialect.StreamEvent.StepStarted;
import dev.satchel.server.dialect.StreamEvent.StepSucceeded;
import dev.satchel.server.dialect.StreamEvent.TextAppended;
import dev.satchel.server.dialect.StreamEvent.TextEnded;
import dev.satchel.server.dialect.StreamEvent.TextStarted;
import dev.satchel.server.dialect.StreamEvent.WorkspacePending;
import java.util.List;
import java.util.Map;

/**
 * Encodes the AI SDK's UI message stream, version 1, with chunks that its versions 6 and 7 both
 * accept. The message has the run's id, so a stream that is read again replaces the message.
 */
public final class UiMessageEncoder implements EventEncoder {
    @Override
    public List<Object> encode(StreamEvent event) {
        return switch (event) {
            case RunStarted run ->
                    List.of(
                            chunk(
                                    "start",
                                    "messageId",
                                    run.runId(),
                                    "messageMetadata",
                                    JsonObjects.of("chatId", run.chatId(), "runId", run.runId())),
                            chunk("start-step"));
            case Logged log -> List.of(chunk("data-log", "data", log.line(), "transient", true));
            case TextStarted text -> List.of(chunk("text-start", "id", id(text.part())));
            case TextAppended text ->
                    List.of(chunk("text-delta", "id", id(text.part()), "delta", text.delta()));
            case TextEnded text -> List.of(chunk("text-end", "id", id(text.part())));
            case StepStarted step ->
                    List.of(
                            tool(
                                    "tool-input-available",
                                    step.id(),
                                    "toolName",
                                    step.name(),
                                    "input",
                                    step.args()));
            case StepSucceeded step ->
                    List.of(tool("tool-output-available", step.id(), "output", step.result()));
            case StepFailed step ->
                    List.of(tool("tool-output-error", step.id(), "errorText", step.error()));
            case FileProduced file -> List.of(file(file));
            case FileNotHandedOver file -> List.of(notHandedOver(file));
            case WorkspacePending _ -> List.of(workspacePending());
            case RunSucceeded run -> finish(run.messageId());
            case RunCancelled run -> List.of(chunk("abort", "reason", run.reason()));
            case RunFailed run -> List.of(chunk("error", "errorText", run.message()));
        };
    }

    /** The chunk has no member for a file name, so it is part of the provider's metadata. */
    private static Object file(FileProduced file) {
        Map<String, Object> metadata =
                JsonObjects.of("id", file.id(), "filename", file.name(), "size", file.size());
        return chunk(
                "file",
                "url",
                file.url(),
                "mediaType",
                file.mimeType(),
                "providerMetadata",
                Map.of("satchel", metadata));
    }

    /** A data part, since no part of the protocol stands for a file that is missing. */
    static Object notHandedOver(FileNotHandedOver file) {
        return chunk("data-not-handed-over", "id", file.path(), "data", file);
    }

    static Object workspacePending() {
        return chunk("data-workspace", "id", "workspace", "data", Map.of("workspace", "pending"));
    }

    private static List<Object> finish(String messageId) {
        return List.of(
                chunk("finish-step"),
                chunk(
                        "finish",
                        "finishReason",
                        "stop",
                        "messageMetadata",
                        Map.of("messageId", messageId)));
    }

    private static String id(int part) {
        return "text-" + part;
    }

    /** The tools run in the sandbox: the client must not try to execute them. */
    private static Map<String, Object> tool(String type, String id, Object... more) {
        Map<String, Object> chunk = chunk(type, "toolCallId", id);
        chunk.putAll(JsonObjects.of(more));
        chunk.put("dynamic", true);
        chunk.put("providerExecuted", true);
        return chunk;
    }

    private static Map<String, Object> chunk(String type, Object... more) {
        Map<String, Object> chunk = JsonObjects.of("type", type);
        chunk.putAll(JsonObjects.of(more));
        return chunk;
    }
}
