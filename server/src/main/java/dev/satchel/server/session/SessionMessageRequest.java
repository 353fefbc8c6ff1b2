package dev.satchel.server.session;

import dev.satchel.http.Fields;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.turn.AgentSelection;
import dev.satchel.server.turn.InlineFile;
import dev.satchel.server.turn.TurnRequest.Message;
import dev.satchel.server.workspace.SessionErrors;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The body of {@code POST /api/sessions/{id}/messages}: text, or blocks of text, images and
 * documents.
 */
record SessionMessageRequest(
        @Nullable JsonNode content,
        @Nullable Boolean includePartialMessages,
        @Nullable String model) {

    /** Refused when it has neither text nor a file. */
    Message message() {
        List<String> texts = new ArrayList<>();
        List<InlineFile> files = new ArrayList<>();
        if (content != null && content.isString()) {
            texts.add(content.stringValue());
        } else if (content != null && content.isArray()) {
            content.forEach(block -> read(block, texts, files));
        }
        String text = String.join("\n\n", texts);
        if (text.isBlank() && files.isEmpty()) {
            throw SessionErrors.invalid("body/content must be text or blocks with text or files");
        }
        return new Message(MessageId.random(), text, List.of(), List.of(), files);
    }

    /** The model holds until another message names one. */
    AgentSelection selection() {
        return model == null || model.isBlank()
                ? AgentSelection.KEEP
                : new AgentSelection(null, model);
    }

    boolean wantsPartial() {
        return Boolean.TRUE.equals(includePartialMessages);
    }

    private static void read(JsonNode block, List<String> texts, List<InlineFile> files) {
        String type = block.path("type").stringValue("");
        switch (type) {
            case "text" -> texts.add(block.path("text").stringValue(""));
            case "image", "document" -> files.add(file(type, files.size() + 1, block));
            default ->
                    throw SessionErrors.invalid(
                            "body/content has a block that is not text, image or document");
        }
    }

    private static InlineFile file(String type, int number, JsonNode block) {
        JsonNode source = block.path("source");
        String data = source.path("data").stringValue("");
        String mediaType = source.path("media_type").stringValue("");
        String name = name(block, type + "-" + number + "." + extension(mediaType));
        return switch (source.path("type").stringValue("")) {
            case "base64" -> new InlineFile(name, data);
            case "text" -> new InlineFile(name, base64(data));
            default ->
                    throw Fields.invalid(
                            "content", "has a source that is not base64 or text: none is fetched");
        };
    }

    private static String name(JsonNode block, String fallback) {
        String title = block.path("title").stringValue("").strip();
        String extension = fallback.substring(fallback.lastIndexOf('.'));
        if (title.isEmpty()) {
            return fallback;
        }
        return title.matches(".*\\.[A-Za-z0-9]{1,8}") ? title : title + extension;
    }

    /** That of the media types which such blocks may have. */
    private static String extension(String mediaType) {
        return switch (mediaType) {
            case "image/jpeg" -> "jpg";
            case "text/plain", "" -> "txt";
            default -> mediaType.replaceFirst(".*/", "").replaceAll("[^a-z0-9].*", "");
        };
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
