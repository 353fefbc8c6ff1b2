package dev.satchel.server.dialect.agui;

import dev.satchel.http.Fields;
import dev.satchel.server.dialect.ClientMessage;
import dev.satchel.server.dialect.FallbackFileName;
import dev.satchel.server.dialect.InlineFile;
import dev.satchel.server.dialect.aisdk.UiChatRequest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** {@code RunAgentInput}: of the messages only the last one counts, for we have the rest. */
record AgUiInput(
        String threadId, String runId, List<Message> messages, @Nullable JsonNode forwardedProps) {
    AgUiInput {
        Fields.text("threadId", threadId, 256);
        Fields.text("runId", runId, 256);
        messages = messages == null ? List.of() : List.copyOf(messages);
    }

    record Message(@Nullable String id, String role, @Nullable JsonNode content) {}

    /**
     * The client's way to stop is to hang up, so hanging up stops, unless it says otherwise or has
     * a key to come back with.
     */
    String onDisconnect(boolean mayComeBack) {
        JsonNode asked = forwardedProps == null ? null : forwardedProps.get("onDisconnect");
        if (asked == null) {
            return mayComeBack ? "continue" : "cancel";
        }
        return asked.stringValue("");
    }

    ClientMessage last() {
        if (messages.isEmpty() || !"user".equals(messages.getLast().role())) {
            throw Fields.invalid("messages", "must end with a message of the user");
        }
        Message last = messages.getLast();
        JsonNode content = last.content();
        StringBuilder text = new StringBuilder();
        List<InlineFile> inline = new ArrayList<>();
        List<String> attached = new ArrayList<>();
        if (content != null && content.isString()) {
            text.append(content.stringValue());
        } else if (content != null) {
            for (JsonNode part : content) {
                part(part, text, inline, attached);
            }
        }
        return new ClientMessage(last.id(), text.toString(), inline, attached);
    }

    private static void part(
            JsonNode part, StringBuilder text, List<InlineFile> inline, List<String> attached) {
        if (part.path("type").stringValue("").equals("text")) {
            text.append(text.isEmpty() ? "" : "\n\n").append(part.path("text").stringValue(""));
            return;
        }
        JsonNode source = part.path("source");
        String value = source.path("value").stringValue("");
        String type = source.path("mimeType").stringValue(null);
        String name = part.at("/metadata/filename").stringValue(null);
        if (source.path("type").stringValue("").equals("data")) {
            inline.add(new InlineFile(FallbackFileName.of(name, type), value));
        } else {
            UiChatRequest.file(value, name, type, inline, attached);
        }
    }
}
