package dev.satchel.client.model;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What a run asks a person: an approval of a tool call, or a question. */
public record Ask(
        String askId,
        String runId,
        @Nullable String chatId,
        String kind,
        String tool,
        @Nullable JsonNode args,
        @Nullable String question,
        List<String> options,
        String status,
        @Nullable String decision,
        @Nullable String text,
        long askedAt,
        JsonNode json)
        implements ServerObject {

    public Ask {
        options = options == null ? List.of() : List.copyOf(options);
    }

    public boolean isQuestion() {
        return kind.equals("question");
    }
}
