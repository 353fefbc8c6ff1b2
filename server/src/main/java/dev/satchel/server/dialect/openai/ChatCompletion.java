package dev.satchel.server.dialect.openai;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.server.dialect.JsonObjects;
import dev.satchel.server.dialect.StreamEvent.FileProduced;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A chat completion that is sent as a whole: without what was withdrawn. */
final class ChatCompletion {
    private final Map<Integer, StringBuilder> texts = new LinkedHashMap<>();
    private final List<Paragraph> after = new ArrayList<>();
    private final StringBuilder thoughts = new StringBuilder();
    private String reason = "stop";
    private OpenAiUsage usage = OpenAiUsage.of(null);
    private @Nullable SatchelException failure;

    private record Paragraph(String text, @Nullable FileProduced file) {}

    void append(int part, String delta) {
        texts.computeIfAbsent(part, _ -> new StringBuilder()).append(delta);
    }

    void withdraw(List<Integer> parts) {
        texts.keySet().removeAll(parts);
    }

    void think(String text) {
        thoughts.append(text);
    }

    /** Adds a paragraph after the text, which may be the link of a file. */
    void add(String text, @Nullable FileProduced file) {
        after.add(new Paragraph(text, file));
    }

    void finish(String finishReason, OpenAiUsage tokens) {
        reason = finishReason;
        usage = tokens;
    }

    /** A client that tried again would start another turn, so it is told not to. */
    void fail(String code, String message) {
        failure =
                new SatchelException(ErrorCode.INTERNAL, message)
                        .withDetails(Map.of("code", code))
                        .withHeaders(Map.of("x-should-retry", "false"));
    }

    /** What a completion has besides its id; the error of a run that failed is thrown. */
    Map<String, Object> members(URI publicUrl) {
        if (failure != null) {
            throw failure;
        }
        StringBuilder content = new StringBuilder(String.join("\n\n", texts.values()));
        List<Object> citations = new ArrayList<>();
        for (Paragraph paragraph : after) {
            content.append(content.isEmpty() ? "" : "\n\n");
            int start = content.length();
            content.append(paragraph.text());
            FileProduced file = paragraph.file();
            if (file != null) {
                citations.add(OpenAiText.citation(publicUrl, file, start, content.length()));
            }
        }
        Map<String, Object> message =
                JsonObjects.of(
                        "role",
                        "assistant",
                        "content",
                        content.toString(),
                        "refusal",
                        JsonObjects.NULL);
        if (!citations.isEmpty()) {
            message.put("annotations", citations);
        }
        if (!thoughts.isEmpty()) {
            message.put("reasoning_content", thoughts.toString());
        }
        return JsonObjects.of(
                "choices",
                List.of(
                        JsonObjects.of(
                                "index",
                                0,
                                "message",
                                message,
                                "logprobs",
                                JsonObjects.NULL,
                                "finish_reason",
                                reason)),
                "usage",
                usage.ofCompletion());
    }
}
