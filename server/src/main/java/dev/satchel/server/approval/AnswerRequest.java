package dev.satchel.server.approval;

import dev.satchel.http.Fields;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The body of {@code POST /api/runs/{runId}/answers}. */
public record AnswerRequest(List<Answer> answers) {
    private static final int MAX_ANSWERS = 1_000;
    private static final int MAX_ID = 200;
    private static final int MAX_TEXT = 64 * 1024;

    public AnswerRequest {
        answers = List.copyOf(Fields.required("answers", answers));
        if (answers.isEmpty() || answers.size() > MAX_ANSWERS) {
            throw Fields.invalid("answers", "must have 1 to " + MAX_ANSWERS + " entries");
        }
        Set<String> ids = new HashSet<>();
        for (Answer answer : answers) {
            if (!ids.add(answer.askId())) {
                throw Fields.invalid("answers", "answers " + answer.askId() + " twice");
            }
        }
    }

    /**
     * What a person says to one ask.
     *
     * @param decision {@code allow} or {@code deny}; may be absent if a question has its text
     * @param text the answer to a question, or the reason of a decision
     * @param remember {@code run} or {@code chat} if the decision holds for later calls as well
     */
    public record Answer(
            String askId,
            @Nullable String decision,
            @Nullable String text,
            @Nullable String remember) {
        public Answer {
            Fields.text("answers.askId", askId, MAX_ID);
            if (decision == null && text == null) {
                throw Fields.invalid("answers.decision", "is required");
            }
            if (decision != null && !Set.of("allow", "deny").contains(decision)) {
                throw Fields.invalid("answers.decision", "must be allow or deny");
            }
            if (text != null) {
                Fields.atMost("answers.text", text, MAX_TEXT);
            }
            if (remember != null && !Set.of("run", "chat").contains(remember)) {
                throw Fields.invalid("answers.remember", "must be run or chat");
            }
        }
    }
}
