package dev.satchel.server.dialect;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.Caller;
import dev.satchel.server.approval.AnswerRequest;
import dev.satchel.server.approval.AnswerService;
import dev.satchel.server.approval.StoredAsk;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.run.Run;
import dev.satchel.server.run.RunStatus;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The answers that a client of another protocol sends instead of a message. */
public final class ClientAnswers {
    private static final Set<String> YES = Set.of("yes", "y", "ok", "allow", "approve", "approved");

    private final ClientThreads threads;
    private final AnswerService answers;

    public ClientAnswers(ClientThreads threads, AnswerService answers) {
        this.threads = threads;
        this.answers = answers;
    }

    /** A run that was answered, and the last of its lines before. */
    public record Answered(Run run, long after) {}

    /**
     * Answers everything that a chat asks with the words of a person; empty if it asks nothing.
     * What is not a clear yes is a refusal, and the agent reads it as the reason.
     */
    public Optional<Answered> answerInWords(Caller caller, ConversationId chat, String text) {
        List<StoredAsk> open = open(caller, chat);
        return open.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        answer(
                                caller,
                                chat,
                                open.stream().map(ask -> inWords(ask, text)).toList()));
    }

    private static AnswerRequest.Answer inWords(StoredAsk ask, String text) {
        if (ask.isQuestion()) {
            return new AnswerRequest.Answer(ask.id(), null, text, null);
        }
        String word = text.strip().toLowerCase(Locale.ROOT).replaceAll("[.!]+$", "");
        boolean allowed = YES.contains(word);
        return new AnswerRequest.Answer(
                ask.id(), allowed ? "allow" : "deny", allowed ? null : text, null);
    }

    /** What the agent of a chat asks; empty when its run does not wait. */
    private List<StoredAsk> open(Caller caller, ConversationId chat) {
        return threads.activeTurn(caller, chat)
                .filter(run -> run.status() == RunStatus.WAITING)
                .map(_ -> answers.open(chat))
                .orElse(List.of());
    }

    /** Such clients send answers of earlier requests again, which are ignored. */
    public Answered answer(Caller caller, ConversationId chat, List<AnswerRequest.Answer> given) {
        Run run =
                threads.activeTurn(caller, chat)
                        .filter(it -> it.status() == RunStatus.WAITING)
                        .orElseThrow(ClientAnswers::nothingWaits);
        Set<String> open =
                answers.open(chat).stream().map(StoredAsk::id).collect(Collectors.toSet());
        List<AnswerRequest.Answer> wanted =
                given.stream().filter(answer -> open.contains(answer.askId())).toList();
        if (wanted.isEmpty()) {
            throw nothingWaits();
        }
        answers.answer(caller, run.id(), new AnswerRequest(wanted));
        return new Answered(run, run.lastSeq());
    }

    private static SatchelException nothingWaits() {
        return new SatchelException(
                ErrorCode.CONFLICT, "this chat does not wait for any of these answers");
    }
}
