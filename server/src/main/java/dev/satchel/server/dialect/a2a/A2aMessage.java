package dev.satchel.server.dialect.a2a;

import dev.satchel.http.Fields;
import dev.satchel.server.dialect.ClientMessage;
import dev.satchel.server.dialect.ClientMessageBuilder;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * The message of a task.
 *
 * @param context names the conversation; empty for a new one
 * @param task that the message answers; empty for a new task
 */
record A2aMessage(Optional<String> context, Optional<String> task, JsonNode message) {
    static A2aMessage of(JsonNode params) {
        JsonNode message = params.path("message");
        if (!message.isObject()) {
            throw Fields.invalid("message", "is required");
        }
        return new A2aMessage(text(message, "contextId"), text(message, "taskId"), message);
    }

    ClientMessage read() {
        ClientMessageBuilder builder = new ClientMessageBuilder();
        for (JsonNode part : message.path("parts")) {
            String name = text(part, "filename").orElse("");
            String type = text(part, "mediaType").orElse("");
            if (part.has("text")) {
                builder.text(part.path("text").stringValue(""));
            } else if (part.has("raw")) {
                builder.file(part.path("raw").stringValue(""), name, type);
            } else if (part.has("url")) {
                builder.fileAt(part.path("url").stringValue(""), name, type);
            } else if (part.has("data")) {
                builder.text(part.path("data").toString());
            } else {
                throw Fields.invalid("parts", "has one without text, raw, url or data");
            }
        }
        return builder.build(text(message, "messageId").orElse(""));
    }

    private static Optional<String> text(JsonNode node, String field) {
        String text = node.path(field).stringValue("");
        return text.isEmpty() ? Optional.empty() : Optional.of(Fields.atMost(field, text, 256));
    }
}
