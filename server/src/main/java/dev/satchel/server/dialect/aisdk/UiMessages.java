package dev.satchel.server.dialect.aisdk;

import dev.satchel.server.conversation.ContentBlock;
import dev.satchel.server.conversation.ContentBlock.End;
import dev.satchel.server.conversation.ContentBlock.Steer;
import dev.satchel.server.conversation.ContentBlock.Step;
import dev.satchel.server.conversation.ContentBlock.Stopped;
import dev.satchel.server.conversation.ContentBlock.Text;
import dev.satchel.server.conversation.ContentBlock.Thinking;
import dev.satchel.server.conversation.ContentBlock.Usage;
import dev.satchel.server.conversation.FileAttachment;
import dev.satchel.server.conversation.PersistedMessage;
import dev.satchel.server.conversation.Role;
import dev.satchel.server.dialect.ClientThreads;
import dev.satchel.server.dialect.JsonObjects;
import dev.satchel.server.dialect.RunEventTranslator;
import dev.satchel.server.dialect.StreamEvent.FileNotHandedOver;
import dev.satchel.server.dialect.StreamEvent.FileProduced;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Encodes a thread as UI messages of the AI SDK, for a client that reloads. */
final class UiMessages {
    private final URI publicUrl;

    UiMessages(URI publicUrl) {
        this.publicUrl = publicUrl;
    }

    List<Object> of(ClientThreads.ThreadTail thread) {
        return thread.messages().stream().map(message -> one(thread.chatId(), message)).toList();
    }

    private Object one(String chatId, PersistedMessage message) {
        boolean user = message.role() == Role.USER;
        String run = message.runId();
        List<Object> parts = new ArrayList<>();
        if (!user) {
            parts.add(JsonObjects.of("type", "step-start"));
        }
        message.content().forEach(block -> parts.addAll(part(block)));
        message.fileAttachments().forEach(file -> parts.add(file(chatId, file)));
        message.notHandedOver()
                .forEach(
                        file ->
                                parts.add(
                                        UiMessageEncoder.notHandedOver(
                                                FileNotHandedOver.of(chatId, file))));
        if (message.workspace() != null) {
            parts.add(UiMessageEncoder.workspacePending());
        }
        Map<String, Object> view =
                JsonObjects.of(
                        "id",
                        run == null ? message.id() : run,
                        "role",
                        user ? "user" : "assistant");
        if (run != null) {
            Map<String, Object> metadata =
                    JsonObjects.of("chatId", chatId, "runId", run, "messageId", message.id());
            for (ContentBlock block : message.content()) {
                if (block instanceof Stopped stopped) {
                    metadata.put("stopped", stopped.reason());
                } else if (block instanceof Usage usage) {
                    metadata.put("usage", usage.counts());
                }
            }
            List<Object> files =
                    message.fileAttachments().stream()
                            .map(file -> described(chatId, file))
                            .toList();
            if (!files.isEmpty()) {
                metadata.put("files", files);
            }
            view.put("metadata", metadata);
        }
        view.put("parts", parts);
        return view;
    }

    private static List<Object> part(ContentBlock block) {
        return switch (block) {
            case Text text -> List.of(JsonObjects.of("type", "text", "text", text.text()));
            case Thinking thinking ->
                    List.of(JsonObjects.of("type", "reasoning", "text", thinking.text()));
            case Step step -> List.of(tool(step));
            case Steer steer ->
                    List.of(
                            JsonObjects.of(
                                    "type", "data-steer", "id", steer.messageId(), "data", steer));
            case Stopped _, Usage _ -> List.of(); // part of the metadata
            case End _ -> List.of(); // the end was part of the live stream only
        };
    }

    private static Object tool(Step step) {
        Map<String, Object> part =
                JsonObjects.of(
                        "type",
                        "dynamic-tool",
                        "toolName",
                        step.name(),
                        "toolCallId",
                        step.id(),
                        "input",
                        step.args() == null ? Map.of() : step.args());
        String error = step.error();
        switch (step.status()) {
            case SUCCEEDED -> {
                part.put("state", "output-available");
                part.put("output", step.result());
            }
            case FAILED -> failed(part, error == null ? "failed" : error);
            case WAITING, RUNNING, INTERRUPTED -> failed(part, RunEventTranslator.CUT_SHORT);
        }
        part.put("providerExecuted", true);
        if (Boolean.TRUE.equals(step.truncated())) {
            part.put("callProviderMetadata", UiMessageEncoder.cut(step.originalSize()));
        }
        return part;
    }

    private static void failed(Map<String, Object> part, String error) {
        part.put("state", "output-error");
        part.put("errorText", error);
    }

    private Object described(String chatId, FileAttachment file) {
        return UiMessageEncoder.described(
                file.id(), file.name(), file.mimeType(), file.size(), url(chatId, file));
    }

    private Object file(String chatId, FileAttachment file) {
        return JsonObjects.of(
                "type",
                "file",
                "mediaType",
                file.mimeType(),
                "filename",
                file.name(),
                "url",
                url(chatId, file));
    }

    private String url(String chatId, FileAttachment file) {
        return publicUrl + FileProduced.url(chatId, file.id());
    }
}
