package dev.satchel.server.approval;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Fields;
import dev.satchel.http.SatchelException;
import dev.satchel.http.paging.PageRequest;
import dev.satchel.server.access.Caller;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.run.Run;
import dev.satchel.server.run.RunStatus;
import dev.satchel.server.run.RunStore;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/**
 * Takes the answers to what waiting runs have asked. The answer to the last open ask of a run
 * continues it, in the same transaction, so that it is continued exactly once.
 */
public final class AnswerService {
    private final Database database;
    private final RunStore runs;
    private final AskStore asks;
    private final ChatPermissionStore chats;
    private final Continuation continuation;
    private final Clock clock;

    /** Continues runs whose asks are all answered. */
    public interface Continuation {
        /** Refuses when this server cannot start runs. */
        void requireAvailable();

        /** Takes the run in the transaction; what is returned starts it after the commit. */
        Optional<Runnable> prepare(Transaction tx, Run run);
    }

    public AnswerService(
            Database database,
            RunStore runs,
            AskStore asks,
            ChatPermissionStore chats,
            Continuation continuation,
            Clock clock) {
        this.database = database;
        this.runs = runs;
        this.asks = asks;
        this.chats = chats;
        this.continuation = continuation;
        this.clock = clock;
    }

    /** The run after the answers: it goes on if nothing is open any more. */
    public record Accepted(String runId, String status, int open) {}

    /** Takes all answers or none. */
    public Accepted answer(Caller caller, RunId id, AnswerRequest request) {
        continuation.requireAvailable();
        Outcome outcome = database.write(tx -> answer(tx, caller, id, request));
        outcome.start().ifPresent(Runnable::run);
        RunStatus status = outcome.start().isPresent() ? RunStatus.RUNNING : RunStatus.WAITING;
        return new Accepted(id.value(), status.wireName(), outcome.open());
    }

    private record Outcome(int open, Optional<Runnable> start) {}

    private Outcome answer(Transaction tx, Caller caller, RunId id, AnswerRequest request) {
        boolean waiting = runs.holdWaiting(tx, id); // one request for a run at a time
        Run run =
                runs.findReadable(tx, caller, id)
                        .orElseThrow(
                                () -> new SatchelException(ErrorCode.NOT_FOUND, "no such run"));
        for (AnswerRequest.Answer answer : request.answers()) {
            StoredAsk ask = asks.find(tx, id, answer.askId()).orElseThrow(() -> noSuchAsk(answer));
            AskStore.Given given = given(ask, answer);
            if (!waiting || !asks.answer(tx, id, given, clock.millis())) {
                throw notOpen(ask);
            }
            remember(tx, ask, given);
        }
        int open = open(tx, id);
        if (open > 0) {
            return new Outcome(open, Optional.empty());
        }
        Optional<Runnable> start = continuation.prepare(tx, run);
        if (start.isEmpty()) { // undoes the answers
            throw new SatchelException(
                    ErrorCode.CONFLICT, "the run cannot be continued: it is being stopped");
        }
        return new Outcome(0, start);
    }

    private static AskStore.Given given(StoredAsk ask, AnswerRequest.Answer answer) {
        String decision = answer.decision();
        if (ask.isQuestion()) {
            decision = decision == null ? "allow" : decision;
            String text = answer.text();
            if (decision.equals("allow") && (text == null || text.isBlank())) {
                throw Fields.invalid("answers.text", "is required for a question");
            }
        }
        if (decision == null) {
            throw Fields.invalid("answers.decision", "is required for an approval");
        }
        if (ask.isQuestion() && answer.remember() != null) {
            throw Fields.invalid("answers.remember", "is only for approvals");
        }
        return new AskStore.Given(ask.id(), decision, answer.text(), answer.remember());
    }

    private void remember(Transaction tx, StoredAsk ask, AskStore.Given given) {
        if ("chat".equals(given.remember())) {
            chats.put(tx, ask.conversation(), ask.tool(), given.decision(), clock.millis());
        }
    }

    private int open(Transaction tx, RunId run) {
        return (int)
                asks.ofRun(tx, run).stream()
                        .filter(ask -> ask.status() == StoredAsk.Status.OPEN)
                        .count();
    }

    /** A page of the asks of the caller, the newest first. */
    List<StoredAsk> page(Caller caller, StoredAsk.Status status, PageRequest page) {
        return database.read(tx -> asks.page(tx, caller, status, page));
    }

    /** What a conversation waits for, in the order in which it was asked. */
    public List<StoredAsk> open(ConversationId conversation) {
        return database.read(tx -> asks.open(tx, conversation));
    }

    private static SatchelException noSuchAsk(AnswerRequest.Answer answer) {
        return new SatchelException(
                ErrorCode.NOT_FOUND, "this run has not asked " + answer.askId());
    }

    private static SatchelException notOpen(StoredAsk ask) {
        return new SatchelException(
                ErrorCode.CONFLICT,
                ask.status() == StoredAsk.Status.ANSWERED
                        ? ask.id() + " is answered already"
                        : ask.id() + " cannot be answered any more: the run has ended");
    }
}
