package dev.satchel.server.dialect.openai;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Fields;
import dev.satchel.http.SatchelException;
import dev.satchel.server.dialect.ClientMessageBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * What one side says before the other does: messages that follow each other are one.
 *
 * @param contents of each message: text, or a list of parts
 */
record HistoryBlock(boolean isUser, List<JsonNode> contents) {
    HistoryBlock {
        contents = List.copyOf(contents);
    }

    HistoryBlock with(JsonNode content) {
        List<JsonNode> more = new ArrayList<>(contents);
        more.add(content);
        return new HistoryBlock(isUser, more);
    }

    /** The text without white space, since clients trim and join it in their own ways. */
    String bareText() {
        return bare(text());
    }

    static String bare(String text) {
        return text.replaceAll("\\s", "");
    }

    String text() {
        List<String> texts = new ArrayList<>();
        for (JsonNode content : contents) {
            if (content.isString()) {
                texts.add(content.stringValue());
            }
            content.forEach(part -> part.path("text").asStringOpt().ifPresent(texts::add));
        }
        return String.join("\n\n", texts);
    }

    /** What identifies the files of the block. */
    String files() {
        StringBuilder files = new StringBuilder();
        for (JsonNode content : contents) {
            content.forEach(part -> files.append(part.has("text") ? "" : part.toString()));
        }
        return files.toString();
    }

    /** Adds the text and the files to a message, with the names of both of OpenAI's protocols. */
    void addTo(ClientMessageBuilder message, OpenAiFileReferences files) {
        for (JsonNode content : contents) {
            if (content.isString()) {
                message.text(content.stringValue());
            }
            content.forEach(part -> addPart(part, message, files));
        }
    }

    private static void addPart(
            JsonNode part, ClientMessageBuilder message, OpenAiFileReferences files) {
        String type = part.path("type").stringValue("");
        switch (type) {
            case "text", "input_text", "output_text" ->
                    message.text(part.path("text").stringValue(""));
            case "image_url" -> {
                JsonNode image = part.path("image_url");
                String url = image.isString() ? image.stringValue() : text(image, "url");
                addUrl(url, mediaType(url), message);
            }
            case "input_image", "input_file" -> addFile(part, message, files);
            case "file" -> addFile(part.path("file"), message, files);
            case "input_audio" -> {
                JsonNode audio = part.path("input_audio");
                String format = text(audio, "format");
                message.file(text(audio, "data"), "audio." + format, "audio/" + format);
            }
            default -> throw Fields.invalid("content", "has a part of an unknown type: " + type);
        }
    }

    private static void addFile(
            JsonNode file, ClientMessageBuilder message, OpenAiFileReferences files) {
        String id = file.path("file_id").stringValue("");
        if (!id.isEmpty()) {
            files.add(id, message);
            return;
        }
        String name = file.path("filename").stringValue(null);
        String data = file.path("file_data").stringValue("");
        String url =
                data.isEmpty() ? file.path("image_url").stringValue(text(file, "file_url")) : data;
        if (!data.isEmpty() && !data.startsWith("data:")) {
            message.file(data, name, null);
        } else {
            message.fileAt(url, name, mediaType(url));
        }
    }

    private static void addUrl(String url, String mediaType, ClientMessageBuilder message) {
        message.fileAt(url, null, mediaType);
    }

    private static String mediaType(String dataUrl) {
        return dataUrl.startsWith("data:") ? dataUrl.substring(5).split("[;,]", 2)[0] : "";
    }

    private static String text(JsonNode node, String field) {
        return node.path(field).stringValue("");
    }

    static SatchelException unsupported(String param, String why) {
        return new SatchelException(ErrorCode.INVALID_REQUEST, param + " " + why)
                .withDetails(Map.of("code", "unsupported_parameter", "param", param));
    }
}
