package dev.satchel.server.execution;

import dev.satchel.protocol.Dispatch;
import dev.satchel.protocol.Json;
import dev.satchel.protocol.LineParser;
import dev.satchel.protocol.MalformedLineException;
import dev.satchel.protocol.NotHandedOver;
import dev.satchel.protocol.RunUsage;
import dev.satchel.protocol.SandboxLine;
import dev.satchel.server.approval.AskStore;
import dev.satchel.server.bag.BagStore;
import dev.satchel.server.conversation.ContentBlock;
import dev.satchel.server.conversation.ContentBlock.End;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.conversation.FileAttachment;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.conversation.PersistedMessage;
import dev.satchel.server.conversation.Role;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.DatabaseOutage;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.queue.QueueStore;
import dev.satchel.server.run.Run;
import dev.satchel.server.run.RunObserver;
import dev.satchel.server.run.RunStatus;
import dev.satchel.server.run.RunStore;
import dev.satchel.server.runlog.RunLog;
import dev.satchel.server.runlog.RunLogLine;
import dev.satchel.server.runlog.RunLogStore;
import dev.satchel.server.usage.UsageSum;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends runs. One transaction stores the assistant's message and the closing lines and unlocks the
 * conversation; only the first settlement of a run writes. Readers see it after the commit.
 */
public final class RunSettlement {
    private static final Logger LOG = LoggerFactory.getLogger(RunSettlement.class);

    /** The lines of the runner that a message is made of. */
    private static final Set<String> FOLDED =
            Set.of(
                    "step",
                    "delta",
                    "thinking",
                    "output",
                    "usage",
                    "retry",
                    "resumed",
                    "ask",
                    "steer");

    private final Database database;
    private final RunStore runs;
    private final ConversationStore conversations;
    private final BagStore bag;
    private final AskStore asks;
    private final QueueStore queues;
    private final RunLog log;
    private final RunObserver observer;
    private final Clock clock;
    private final List<Consumer<ConversationId>> listeners = new CopyOnWriteArrayList<>();

    /** What the end of a run changes, beside its log. */
    public record Storage(
            RunStore runs,
            ConversationStore conversations,
            BagStore bag,
            AskStore asks,
            QueueStore queues) {}

    public RunSettlement(
            Database database, Storage storage, RunLog log, RunObserver observer, Clock clock) {
        this.database = database;
        this.runs = storage.runs();
        this.conversations = storage.conversations();
        this.bag = storage.bag();
        this.asks = storage.asks();
        this.queues = storage.queues();
        this.log = log;
        this.observer = observer;
        this.clock = clock;
    }

    /** Calls the listener when a run of a chat has ended, so that the chat is free. */
    public void onFreed(Consumer<ConversationId> listener) {
        listeners.add(listener);
    }

    /**
     * False when the run was ended before.
     *
     * @param pendingAt where the files are that the run left, if no snapshot has them
     */
    boolean settle(
            Run run, RunOutcome outcome, BoundedTranscript transcript, Optional<String> pendingAt) {
        Optional<List<RunLogLine>> closing =
                database.write(tx -> settle(tx, run, outcome, transcript, pendingAt));
        if (closing.isEmpty()) {
            return false;
        }
        log.published(run.id(), closing.get());
        LOG.info("run settled runId={} status={}", run.id().value(), outcome.status().wireName());
        observer.ended(run, outcome.status(), outcome.code());
        if (!run.isHeadless()) {
            listeners.forEach(listener -> listener.accept(run.conversation()));
        }
        return true;
    }

    /**
     * The run waits for people. Its conversation stays locked, and nothing else is held for it.
     * False when another process has the run or it has ended.
     */
    boolean park(Run run, RunOutcome.Waiting waiting, Optional<String> pendingAt) {
        Optional<RunLogLine> last = database.write(tx -> park(tx, run, waiting, pendingAt));
        last.ifPresent(line -> log.published(run.id(), List.of(line)));
        if (last.isPresent()) {
            LOG.info("run waits for people runId={}", run.id().value());
            observer.parked(run);
        }
        return last.isPresent();
    }

    private Optional<RunLogLine> park(
            Transaction tx, Run run, RunOutcome.Waiting waiting, Optional<String> pendingAt) {
        Optional<Long> lastSeq = runs.park(tx, run);
        if (lastSeq.isEmpty()) {
            return Optional.empty();
        }
        asks.insert(tx, run, waiting.asks(), clock.millis());
        if (pendingAt.isPresent()) {
            boolean _ =
                    conversations.markPending(
                            tx, run.conversation(), pendingAt.get(), run.id(), run.generation());
        }
        Map<String, Object> parked = new LinkedHashMap<>();
        parked.put("type", "parked");
        if (waiting.ts() != null) {
            parked.put("ts", waiting.ts());
        }
        RunLogLine line = line(lastSeq.get() + 1, parked);
        log.write(tx, run.id(), List.of(line));
        return Optional.of(line);
    }

    /** Ends a run that no process executes any more, with the steps that its log has. */
    public boolean settleFromLog(Run run, StopReason reason) {
        return settle(run, reason.outcome(), transcript(run), Optional.empty());
    }

    /** Whether the server of the run is being stopped and wants its loop to stop. */
    boolean isDraining(Run run) {
        return database.read(tx -> runs.continuability(tx, run.id()).drains());
    }

    /** The run cannot be continued from now on. */
    boolean endJournal(Run run) {
        return database.write(tx -> runs.endJournal(tx, run));
    }

    private Optional<List<RunLogLine>> settle(
            Transaction tx,
            Run run,
            RunOutcome outcome,
            BoundedTranscript transcript,
            Optional<String> pendingAt) {
        long now = clock.millis();
        Optional<Long> lastSeq = runs.settle(tx, run.id(), run.generation(), outcome.status(), now);
        if (lastSeq.isEmpty()) {
            return Optional.empty();
        }
        asks.end(tx, run.id());
        List<FileAttachment> files = bag.attachmentsOfRun(tx, run.id());
        List<NotHandedOver> missing = notHandedOver(tx, run, outcome);
        String messageId = MessageId.ofAnswer(run.id()).value();
        ConversationId conversation = run.conversation();
        if (run.userMessageId() != null) { // null for a command and for a headless run
            conversations
                    .threads()
                    .answer(
                            tx,
                            conversation,
                            run.userMessageId(),
                            new PersistedMessage(
                                    messageId,
                                    Role.ASSISTANT,
                                    content(outcome, transcript),
                                    files,
                                    missing,
                                    run.id().value(),
                                    now,
                                    null));
        }
        boolean pending =
                pendingAt.isPresent()
                        && conversations.markPending(
                                tx, conversation, pendingAt.get(), run.id(), run.generation());
        conversations.free(tx, conversation, run.id(), run.generation(), now);
        queues.unheard(tx, conversation);
        if (outcome.status() == RunStatus.CANCELLED) {
            queues.pause(tx, conversation); // a person decides whether the next turn starts
        }
        List<RunLogLine> closing =
                closingLines(
                        lastSeq.get(),
                        outcome,
                        new Answer(
                                messageId,
                                files,
                                missing,
                                pending,
                                usage(tx, run, transcript.usage())));
        log.write(tx, run.id(), closing);
        return Optional.of(closing);
    }

    /**
     * What the runner named, and what this server skipped for a runner that names nothing. A run
     * without an answer has no files to name: the next one hands them in.
     */
    private List<NotHandedOver> notHandedOver(Transaction tx, Run run, RunOutcome outcome) {
        if (!(outcome instanceof RunOutcome.Answered answered)) {
            return List.of();
        }
        bag.outputs().remember(tx, run, answered.notHandedOver());
        return bag.outputs().notHandedOver(tx, run.id());
    }

    /** The sum of the calls with its cost; {@code counted} when none of them is stored. */
    private @Nullable RunUsage usage(Transaction tx, Run run, @Nullable RunUsage counted) {
        UsageSum sum = log.usage(tx, run.id());
        if (sum.calls() == 0) {
            return counted;
        }
        return new RunUsage(
                sum.inputTokens(),
                sum.outputTokens(),
                sum.cacheReadTokens(),
                sum.cacheWriteTokens(),
                sum.costMicros());
    }

    /** What the closing line says beside the outcome. */
    private record Answer(
            String messageId,
            List<FileAttachment> files,
            List<NotHandedOver> notHandedOver,
            boolean pending,
            @Nullable RunUsage usage) {}

    private static List<ContentBlock> content(RunOutcome outcome, BoundedTranscript transcript) {
        return switch (outcome) {
            case RunOutcome.Answered _ -> transcript.succeeded();
            case RunOutcome.Waiting _ -> throw new IllegalStateException("the run has not ended");
            case RunOutcome.Stopped stopped ->
                    transcript.stopped(
                            new End(
                                    End.Status.valueOf(stopped.status().name()),
                                    stopped.code(),
                                    stopped.message()));
        };
    }

    private static List<RunLogLine> closingLines(long lastSeq, RunOutcome outcome, Answer answer) {
        Map<String, Object> event = new LinkedHashMap<>();
        switch (outcome) {
            case RunOutcome.Answered answered -> {
                event.put("type", "result");
                event.put("message", answered.message());
                event.put("messageId", answer.messageId());
                event.put("files", answer.files());
                if (!answer.notHandedOver().isEmpty()) {
                    event.put("notHandedOver", answer.notHandedOver());
                }
                if (answered.stopped() != null) {
                    event.put("stopped", answered.stopped());
                }
                if (answer.usage() != null) {
                    event.put("usage", answer.usage());
                }
            }
            case RunOutcome.Waiting _ -> throw new IllegalStateException("the run has not ended");
            case RunOutcome.Stopped stopped -> {
                event.put("type", "error");
                event.put("code", stopped.code());
                event.put("message", stopped.message());
                event.put("messageId", answer.messageId());
            }
        }
        if (answer.pending()) {
            event.put("workspace", PersistedMessage.PENDING);
        }
        if (outcome.ts() != null) {
            event.put("ts", outcome.ts());
        }
        outcome.more().properties().stream()
                .filter(e -> !e.getKey().equals("workspace")) // only the server knows it
                .forEach(e -> event.putIfAbsent(e.getKey(), e.getValue()));
        Map<String, Object> end = new LinkedHashMap<>();
        end.put("type", "end");
        end.put("status", outcome.status().wireName());
        return List.of(line(lastSeq + 1, event), line(lastSeq + 2, end));
    }

    private static RunLogLine line(long seq, Map<String, Object> body) {
        return new RunLogLine(
                seq, String.valueOf(body.get("type")), Json.MAPPER.writeValueAsString(body));
    }

    /**
     * Folds the log page by page. What cannot be read is missing in the message: a run that cannot
     * be ended would lock its conversation for ever.
     */
    private BoundedTranscript transcript(Run run) {
        BoundedTranscript transcript = new BoundedTranscript(log.limits().messageCharacters());
        try {
            long _ = fold(run, transcript, _ -> {});
        } catch (RuntimeException e) {
            if (DatabaseOutage.of(e).isPresent()) {
                throw e;
            }
            LOG.error("the log of a run cannot be read runId={}", run.id().value(), e);
        }
        return transcript;
    }

    /** Returns the characters of the lines that people see. */
    long fold(Run run, BoundedTranscript transcript, Consumer<SandboxLine> listener) {
        long after = 0;
        long characters = 0;
        for (List<RunLogLine> page = log.read(run.id(), after);
                !page.isEmpty();
                page = log.read(run.id(), after)) {
            for (RunLogLine line : page) {
                fold(transcript, line, listener);
                characters += line.body().length();
                after = line.seq();
            }
        }
        return characters;
    }

    /** What the runner of a continued run must know; null in the first attempt. */
    Dispatch.@Nullable Continued continued(Run run, boolean isOlder) {
        if (run.attempt() == 1) {
            return null;
        }
        long lines = database.read(tx -> log.lastJournalLine(tx, run.id()));
        return new Dispatch.Continued(run.attempt(), lines, isOlder ? true : null);
    }

    RunLogStore.JournalSize journalSize(Run run) {
        return database.read(tx -> log.journalSize(tx, run.id()));
    }

    private static void fold(
            BoundedTranscript transcript, RunLogLine line, Consumer<SandboxLine> listener) {
        if (!FOLDED.contains(line.type())) {
            return;
        }
        try {
            SandboxLine parsed = LineParser.parse(line.body().getBytes(StandardCharsets.UTF_8));
            transcript.add(parsed, line.body().length());
            listener.accept(parsed);
        } catch (MalformedLineException e) {
            throw new IllegalStateException("a stored line does not parse seq=" + line.seq(), e);
        }
    }
}
