package dev.satchel.client;

import dev.satchel.client.model.Answer;
import dev.satchel.client.model.AnswersAccepted;
import dev.satchel.client.model.AskPage;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What runs ask people. */
public final class Asks {
    private final HttpCalls calls;

    Asks(HttpCalls calls) {
        this.calls = calls;
    }

    /** What waits for an answer, in all chats and in runs without a chat. */
    public AskPage open(int limit, @Nullable String cursor)
            throws IOException, InterruptedException {
        return calls.get("/api/asks" + Chats.page(limit, cursor), AskPage.class);
    }

    /** Answers asks of a run; the run goes on when nothing that it asked is open any more. */
    public AnswersAccepted answer(String run, List<Answer> answers)
            throws IOException, InterruptedException {
        String path = "/api/runs/" + HttpCalls.encoded(run) + "/answers";
        return calls.post(path, Map.of("answers", answers), AnswersAccepted.class);
    }
}
