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
import java.util.Set;
import java.util.stream.Collectors;

/** The answers that a client of another protocol sends instead of a message. */
public final class ClientAnswers {
    private final ClientThreads threads;
    private final AnswerService answers;

    public ClientAnswers(ClientThreads threads, AnswerService answers) {
        this.threads = threads;
        this.answers = answers;
    }

    /** A run that was answered, and the last of its lines before. */
    public record Answered(Run run, long after) {}

    /** What the agent of a chat asks; empty when its run does not wait. */
    public List<StoredAsk> open(Caller caller, ConversationId chat) {
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
