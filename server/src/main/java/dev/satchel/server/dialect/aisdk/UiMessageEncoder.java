package dev.satchel.server.dialect.aisdk;

import dev.satchel.protocol.SandboxLine.Result;
import dev.satchel.server.dialect.EventEncoder;
import dev.satchel.server.dialect.JsonObjects;
import dev.satchel.server.dialect.StreamEvent;
import dev.satchel.server.dialect.StreamEvent.Asked;
import dev.satchel.server.dialect.StreamEvent.FileNotHandedOver;
import dev.satchel.server.dialect.StreamEvent.FileProduced;
import dev.satchel.server.dialect.StreamEvent.Logged;
import dev.satchel.server.dialect.StreamEvent.ModelUsed;
import dev.satchel.server.dialect.StreamEvent.Queued;
import dev.satchel.server.dialect.StreamEvent.Resumed;
import dev.satchel.server.dialect.StreamEvent.Retried;
import dev.satchel.server.dialect.StreamEvent.RunCancelled;
import dev.satchel.server.dialect.StreamEvent.RunFailed;
import dev.satchel.server.dialect.StreamEvent.RunStarted;
import dev.satchel.server.dialect.StreamEvent.RunSucceeded;
import dev.satchel.server.dialect.StreamEvent.RunWaiting;
import dev.satchel.server.dialect.StreamEvent.Steered;
import dev.satchel.server.dialect.StreamEvent.StepFailed;
import dev.satchel.server.dialect.StreamEvent.StepPrinted;
import dev.satchel.server.dialect.StreamEvent.StepStarted;
import dev.satchel.server.dialect.StreamEvent.StepSucceeded;
import dev.satchel.server.dialect.StreamEvent.TextAppended;
import dev.satchel.server.dialect.StreamEvent.TextEnded;
import dev.satchel.server.dialect.StreamEvent.TextStarted;
import dev.satchel.server.dialect.StreamEvent.ThinkingAppended;
import dev.satchel.server.dialect.StreamEvent.ThinkingEnded;
import dev.satchel.server.dialect.StreamEvent.ThinkingStarted;
import dev.satchel.server.dialect.StreamEvent.Withdrawn;
import dev.satchel.server.dialect.StreamEvent.WorkspacePending;
import dev.satchel.server.runlog.RunEvent.Cut;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Encodes the AI SDK's UI message stream, version 1, with chunks that its versions 5 to 7 accept,
 * except that version 5 knows no approvals. The message has the run's id, so a stream that is read
 * again replaces the message.
 */
public final class UiMessageEncoder implements EventEncoder {
    private final URI publicUrl;
    private final List<Object> files = new ArrayList<>();

    /** {@code publicUrl} begins the addresses of files, since a page may be on another host. */
    public UiMessageEncoder(URI publicUrl) {
        this.publicUrl = publicUrl;
    }

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
            case TextStarted text -> List.of(started("text-start", id(text.part())));
            case TextAppended text ->
                    List.of(chunk("text-delta", "id", id(text.part()), "delta", text.delta()));
            case TextEnded text -> List.of(chunk("text-end", "id", id(text.part())));
            case ThinkingStarted thinking ->
                    List.of(started("reasoning-start", thinkingId(thinking.part())));
            case ThinkingAppended thinking ->
                    List.of(
                            chunk(
                                    "reasoning-delta",
                                    "id",
                                    thinkingId(thinking.part()),
                                    "delta",
                                    thinking.delta()));
            case ThinkingEnded thinking ->
                    List.of(chunk("reasoning-end", "id", thinkingId(thinking.part())));
            case Withdrawn withdrawn -> List.of(withdrawn(withdrawn));
            case Asked asked ->
                    List.of(
                            chunk(
                                    "tool-approval-request",
                                    "approvalId",
                                    asked.id(),
                                    "toolCallId",
                                    asked.id()));
            case StepStarted step ->
                    List.of(
                            tool(
                                    "tool-input-available",
                                    step.id(),
                                    step.cut(),
                                    "toolName",
                                    step.name(),
                                    "input",
                                    step.args()));
            case StepPrinted step ->
                    List.of(
                            tool(
                                    "tool-output-available",
                                    step.id(),
                                    Cut.NONE,
                                    "output",
                                    step.tail(),
                                    "preliminary",
                                    true));
            case StepSucceeded step ->
                    List.of(
                            tool(
                                    "tool-output-available",
                                    step.id(),
                                    step.cut(),
                                    "output",
                                    step.result()));
            case StepFailed step ->
                    List.of(
                            tool(
                                    "tool-output-error",
                                    step.id(),
                                    step.cut(),
                                    "errorText",
                                    step.error()));
            case ModelUsed used ->
                    List.of(chunk("data-usage", "data", used.line(), "transient", true));
            case Retried retried ->
                    List.of(chunk("data-retry", "data", retried, "transient", true));
            case Resumed resumed ->
                    List.of(chunk("data-resumed", "data", resumed, "transient", true));
            case Queued queued -> List.of(chunk("data-queued", "data", queued, "transient", true));
            case Steered steered ->
                    List.of(chunk("data-steer", "id", steered.messageId(), "data", steered));
            case FileProduced file -> List.of(file(file));
            case FileNotHandedOver file -> List.of(notHandedOver(file));
            case WorkspacePending _ -> List.of(workspacePending());
            case RunSucceeded run -> finish(run);
            case RunWaiting _ ->
                    List.of(chunk("finish-step"), chunk("finish", "finishReason", "tool-calls"));
            case RunCancelled run -> List.of(chunk("abort", "reason", run.reason()));
            case RunFailed run -> List.of(chunk("error", "errorText", run.message()));
        };
    }

    /**
     * The chunk has no member for a file name, so it is part of the provider's metadata. Version 5
     * drops that, so the metadata of the message has the names too.
     */
    private Object file(FileProduced file) {
        String url = publicUrl + file.url();
        files.add(described(file.id(), file.name(), file.mimeType(), file.size(), url));
        Map<String, Object> metadata =
                JsonObjects.of("id", file.id(), "filename", file.name(), "size", file.size());
        return chunk(
                "file",
                "url",
                url,
                "mediaType",
                file.mimeType(),
                "providerMetadata",
                Map.of("satchel", metadata));
    }

    /** A file in the metadata of its message. */
    static Object described(String id, String name, String mediaType, long size, String url) {
        return JsonObjects.of(
                "id", id, "filename", name, "mediaType", mediaType, "size", size, "url", url);
    }

    /** A data part, since no part of the protocol stands for a file that is missing. */
    static Object notHandedOver(FileNotHandedOver file) {
        return chunk("data-not-handed-over", "id", file.path(), "data", file);
    }

    static Object workspacePending() {
        return chunk("data-workspace", "id", "workspace", "data", Map.of("workspace", "pending"));
    }

    private List<Object> finish(RunSucceeded run) {
        Map<String, Object> metadata = JsonObjects.of("messageId", run.messageId());
        String stopped = run.stopped();
        if (stopped != null) {
            metadata.put("stopped", stopped);
        }
        JsonNode usage = run.usage();
        if (usage != null) {
            metadata.put("usage", usage);
        }
        if (!files.isEmpty()) {
            metadata.put("files", List.copyOf(files));
        }
        return List.of(
                chunk("finish-step"),
                chunk(
                        "finish",
                        "finishReason",
                        finishReason(stopped),
                        "messageMetadata",
                        metadata));
    }

    private static String finishReason(@Nullable String stopped) {
        if (stopped == null) {
            return "stop";
        }
        return stopped.equals(Result.MAX_TOKENS) ? "length" : "other";
    }

    /** A part of the client's message has no id, so its metadata has it. */
    private static Object started(String type, String id) {
        return chunk(
                type, "id", id, "providerMetadata", Map.of("satchel", JsonObjects.of("id", id)));
    }

    /**
     * The protocol cannot take back a part that version 6 has received, so a data part names the
     * parts that the client leaves out.
     */
    private static Object withdrawn(Withdrawn withdrawn) {
        Stream<String> text = withdrawn.text().stream().map(UiMessageEncoder::id);
        Stream<String> thinking = withdrawn.thinking().stream().map(UiMessageEncoder::thinkingId);
        return chunk(
                "data-withdrawn",
                "data",
                JsonObjects.of("ids", Stream.concat(text, thinking).toList()));
    }

    private static String id(int part) {
        return "text-" + part;
    }

    private static String thinkingId(int part) {
        return "thinking-" + part;
    }

    /** The tools run in the sandbox: the client must not try to execute them. */
    private static Map<String, Object> tool(String type, String id, Cut cut, Object... more) {
        Map<String, Object> chunk = chunk(type, "toolCallId", id);
        chunk.putAll(JsonObjects.of(more));
        chunk.put("dynamic", true);
        chunk.put("providerExecuted", true);
        if (cut.truncated()) {
            chunk.put("providerMetadata", cut(cut.originalSize()));
        }
        return chunk;
    }

    /** Says that values of a step were cut. */
    static Map<String, Object> cut(@Nullable Long originalSize) {
        Map<String, Object> cut = JsonObjects.of("truncated", true);
        if (originalSize != null) {
            cut.put("originalSize", originalSize);
        }
        return Map.of("satchel", cut);
    }

    private static Map<String, Object> chunk(String type, Object... more) {
        Map<String, Object> chunk = JsonObjects.of("type", type);
        chunk.putAll(JsonObjects.of(more));
        return chunk;
    }
}
