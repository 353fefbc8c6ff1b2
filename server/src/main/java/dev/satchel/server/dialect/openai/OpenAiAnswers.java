package dev.satchel.server.dialect.openai;

import dev.satchel.server.access.Caller;
import dev.satchel.server.approval.AnswerRequest;
import dev.satchel.server.approval.StoredAsk;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.dialect.ClientAnswers;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The message of a person in a chat that waits for one: it answers what the agent asks. */
final class OpenAiAnswers {
    private static final Set<String> YES = Set.of("yes", "y", "ok", "allow", "approve", "approved");

    private final ClientAnswers answers;

    OpenAiAnswers(ClientAnswers answers) {
        this.answers = answers;
    }

    /** Continues the run of a chat that waits; empty for one that does not. */
    Optional<ClientAnswers.Answered> answer(Caller caller, ConversationId chat, String text) {
        List<StoredAsk> open = answers.open(caller, chat);
        if (open.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                answers.answer(caller, chat, open.stream().map(ask -> answer(ask, text)).toList()));
    }

    /** What is not a clear yes is a refusal, and the agent hears it as the reason. */
    private static AnswerRequest.Answer answer(StoredAsk ask, String text) {
        if (ask.isQuestion()) {
            return new AnswerRequest.Answer(ask.id(), null, text, null);
        }
        String word = text.strip().toLowerCase(Locale.ROOT).replaceAll("[.!]+$", "");
        boolean allowed = YES.contains(word);
        return new AnswerRequest.Answer(
                ask.id(), allowed ? "allow" : "deny", allowed ? null : text, null);
    }
}
