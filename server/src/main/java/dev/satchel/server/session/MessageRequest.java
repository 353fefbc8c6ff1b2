package dev.satchel.server.session;

import dev.satchel.server.workspace.SessionErrors;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The body of {@code POST /api/sessions/{id}/messages}: text, or blocks that hold some. */
record MessageRequest(@Nullable JsonNode content, @Nullable Boolean includePartialMessages) {
    /** The text of the content; refused when it has none. */
    String text() {
        List<String> texts = new ArrayList<>();
        if (content != null && content.isString()) {
            texts.add(content.stringValue());
        } else if (content != null && content.isArray()) {
            for (JsonNode block : content) {
                if (block.path("type").stringValue("").equals("text")) {
                    texts.add(block.path("text").stringValue(""));
                }
            }
        }
        String text = String.join("\n\n", texts);
        if (text.isBlank()) {
            throw SessionErrors.invalid("body/content must be text or blocks with text");
        }
        return text;
    }

    boolean wantsPartial() {
        return Boolean.TRUE.equals(includePartialMessages);
    }
}
