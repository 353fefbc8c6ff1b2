package dev.satchel.server.dialect.aisdk;

import dev.satchel.http.Fields;
import dev.satchel.server.dialect.ClientMessage;
import dev.satchel.server.dialect.FallbackFileName;
import dev.satchel.server.dialect.InlineFile;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What {@code useChat} sends: the whole history, of which only the last user message counts, for we
 * have the rest.
 */
public record UiChatRequest(
        String id,
        List<Message> messages,
        @Nullable String trigger,
        @Nullable String onDisconnect) {
    public UiChatRequest {
        Fields.text("id", id, 256);
        messages = messages == null ? List.of() : List.copyOf(messages);
    }

    record Message(@Nullable String id, String role, List<Part> parts) {
        Message {
            parts = parts == null ? List.of() : List.copyOf(parts);
        }
    }

    record Part(
            String type,
            @Nullable String text,
            @Nullable String mediaType,
            @Nullable String filename,
            @Nullable String url) {}

    ClientMessage last() {
        Message last =
                messages.reversed().stream()
                        .filter(message -> "user".equals(message.role()))
                        .findFirst()
                        .orElseThrow(() -> Fields.invalid("messages", "has none of the user"));
        StringBuilder text = new StringBuilder();
        List<InlineFile> inline = new ArrayList<>();
        List<String> attached = new ArrayList<>();
        for (Part part : last.parts()) {
            if ("text".equals(part.type()) && part.text() != null) {
                text.append(text.isEmpty() ? "" : "\n\n").append(part.text());
            } else if ("file".equals(part.type()) && part.url() != null) {
                file(part.url(), part.filename(), part.mediaType(), inline, attached);
            }
        }
        ClientMessage message = new ClientMessage(last.id(), text.toString(), inline, attached);
        return "regenerate-message".equals(trigger) ? message.withFreshId() : message;
    }

    public static void file(
            String url,
            @Nullable String filename,
            @Nullable String mediaType,
            List<InlineFile> inline,
            List<String> attached) {
        if (url.startsWith("data:")) {
            inline.add(InlineFile.ofDataUrl(FallbackFileName.of(filename, mediaType), url));
            return;
        }
        attached.add(
                InlineFile.idOf(url)
                        .orElseThrow(
                                () ->
                                        Fields.invalid(
                                                "url",
                                                "must be a data: URL or a file of this chat")));
    }
}
