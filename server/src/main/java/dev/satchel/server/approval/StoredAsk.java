package dev.satchel.server.approval;

import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.RunId;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a run has asked a person, and the answer.
 *
 * @param id unique in the run; the step that waits for the answer has the same id
 * @param rowId the place in lists of equal times
 */
public record StoredAsk(
        RunId run,
        String id,
        ConversationId conversation,
        String rowId,
        String kind,
        String tool,
        @Nullable JsonNode args,
        @Nullable String question,
        List<String> options,
        Status status,
        @Nullable String decision,
        @Nullable String text,
        @Nullable String remember,
        long askedAt,
        @Nullable Long answeredAt) {
    public StoredAsk {
        options = List.copyOf(options);
    }

    public enum Status {
        OPEN,
        ANSWERED,
        /** The run has ended without the answer. */
        ENDED;

        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }

        static Status of(String wireName) {
            return valueOf(wireName.toUpperCase(Locale.ROOT));
        }
    }

    public boolean isQuestion() {
        return kind.equals("question");
    }
}
