package dev.satchel.runner.agent;

import dev.satchel.protocol.InboxContent;
import dev.satchel.protocol.LogLevel;
import dev.satchel.protocol.SandboxLine.Result;
import dev.satchel.runner.journal.Journal;
import dev.satchel.runner.journal.JournalEntry;
import dev.satchel.runner.model.ChatHistory;
import dev.satchel.runner.model.Model;
import dev.satchel.runner.model.ModelException;
import dev.satchel.runner.model.ModelReply;
import dev.satchel.tools.ToolDescription;
import dev.satchel.tools.ToolResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The rounds of one run: each is a reply of the model and the tool calls in it. */
final class ModelRounds {
    private static final double KEPT_AFTER_OVERFLOW = 0.2;
    private static final double SUM_UP_SHARE = 0.5;

    private static final String CONTINUE =
            "[Your reply reached its token limit. Continue exactly where it stopped: repeat nothing"
                    + " and do not mention the interruption.]";
    private static final String BEGIN =
            "[Your reply reached its token limit before it began. Think less and answer briefly.]";

    private final Model model;
    private final AgentTask task;
    private final LoopSettings settings;
    private final StepRecorder steps;
    private final Journal journal;
    private final ReplyLines lines;
    private final ToolCallRunner calls;
    private final ContextWindow window;
    private final Compaction compaction;
    private final LargeResults results;
    private final Set<String> heard = new HashSet<>();

    ModelRounds(Model model, AgentTask task, LoopSettings settings, StepRecorder steps) {
        this.model = model;
        this.task = task;
        this.settings = settings;
        this.steps = steps;
        journal = steps.journal();
        lines = steps.replyLines(task.streamText());
        calls = new ToolCallRunner(task, settings.parallelReads(), steps);
        window = new ContextWindow(model::contextTokens);
        compaction = new Compaction(model, window, steps, lines);
        results =
                new LargeResults(
                        task.context().workspace(),
                        window,
                        settings.window().result(),
                        model.imageLimits().maxBytes());
    }

    AgentAnswer answer() throws IOException, InterruptedException, AgentFailedException {
        PromptAttachments attached =
                PromptAttachments.of(task, settings.documents(), model.pdfLimits(), steps);
        RunHistory history =
                new RunHistory(
                        SystemPrompt.of(task),
                        EarlierTurns.of(task, settings.images()),
                        new RunHistory.Prompt(
                                EarlierTurns.doneBefore(task)
                                        + task.prompt()
                                        + attached.hints()
                                        + SystemPrompt.files(task),
                                attached.images(),
                                attached.documents()));
        for (int rounds = 0; ; rounds++) {
            task.tools().refresh();
            List<ToolDescription> offered = task.permissions().offered(task.tools().descriptions());
            WholeReply reply = askWhole(history, offered);
            if (reply.last().calls().isEmpty()) { // the text may be empty
                String stopped = reply.cut() ? Result.MAX_TOKENS : null;
                return new AgentAnswer(reply.text(), stopped, lines.sum());
            }
            if (rounds == task.maxRounds()) {
                return sumUp(history, rounds);
            }
            history.add(reply.last(), resultsOf(reply.last()));
        }
    }

    private List<ToolResult> resultsOf(ModelReply reply)
            throws IOException, InterruptedException, AgentFailedException {
        List<ToolResult> bounded = new ArrayList<>();
        for (ToolResult result : calls.run(reply)) {
            bounded.add(results.bounded(reply.calls().get(bounded.size()), result));
        }
        return bounded;
    }

    private AgentAnswer sumUp(RunHistory history, int rounds)
            throws IOException, InterruptedException, AgentFailedException {
        steps.log(LogLevel.WARN, "the agent used all its rounds: " + rounds);
        RunHistory question =
                history.withoutTools(
                        "[You have used your tools in "
                                + rounds
                                + " rounds, which is the limit, and cannot use them again. Answer"
                                + " now: say what is done, what you found and what is missing.]",
                        window.bytes(SUM_UP_SHARE));
        String answer = askWhole(question, List.of()).text();
        if (answer.isBlank()) {
            answer =
                    "The agent used its tools in %d rounds, which is the limit, and gave no answer."
                            .formatted(rounds);
            lines.nextMessage();
            lines.text(answer);
        }
        return new AgentAnswer(answer, Result.MAX_ROUNDS, lines.sum());
    }

    /** A reply with the parts before it that reached the token limit. */
    private record WholeReply(String text, ModelReply last) {
        boolean cut() {
            return last.cut();
        }
    }

    /** Asks, and lets the model continue a text that reaches the token limit. */
    private WholeReply askWhole(RunHistory history, List<ToolDescription> tools)
            throws IOException, InterruptedException, AgentFailedException {
        StringBuilder whole = new StringBuilder();
        lines.nextMessage();
        for (int continuations = 0; ; continuations++) {
            ModelReply reply = ask(history, tools);
            whole.append(reply.text());
            boolean done = !reply.cut() || (!reply.calls().isEmpty() && !tools.isEmpty());
            if (done || continuations == settings.continuations()) {
                return new WholeReply(whole.toString(), reply);
            }
            history.add(reply.withoutCalls(), reply.text().isBlank() ? BEGIN : CONTINUE);
        }
    }

    /** What an attempt before has done is repeated without asking the model. */
    private ModelReply ask(RunHistory history, List<ToolDescription> tools)
            throws IOException, InterruptedException, AgentFailedException {
        repeatChanges(history);
        Optional<JournalEntry.Reply> earlier = journal.next(JournalEntry.Reply.class);
        if (earlier.isPresent()) {
            ModelReply reply = earlier.get().reply();
            lines.nextCall();
            lines.repeat(earlier.get(), journal.isShown(earlier.get()));
            learn(history.messages(), tools, reply);
            return reply;
        }
        InboxContent inbox = journal.acknowledge();
        if (inbox.mustStop()) {
            throw new AgentParkedException();
        }
        hear(inbox.messages(), history);
        Optional<String> note = journal.takeNote();
        if (note.isPresent()) {
            journal.write(new JournalEntry.Noted(note.get()), null);
            history.tell(note.get());
        }
        return askNow(history, tools);
    }

    /** The server repeats a message until it has stored the line that shows it. */
    private void hear(List<InboxContent.Message> messages, RunHistory history) throws IOException {
        for (InboxContent.Message message : messages) {
            if (heard.add(message.messageId())) {
                journal.hear(new JournalEntry.Heard(message.messageId(), message.text()));
                history.tell(message.text());
            }
        }
    }

    private void repeat(JournalEntry.Heard message, RunHistory history) throws IOException {
        heard.add(message.messageId());
        journal.repeat(message);
        history.tell(message.text());
    }

    private void repeatChanges(RunHistory history) throws IOException {
        while (true) {
            Optional<JournalEntry.Heard> message = journal.next(JournalEntry.Heard.class);
            Optional<JournalEntry.Noted> note = journal.next(JournalEntry.Noted.class);
            Optional<JournalEntry.Summarized> summary = journal.next(JournalEntry.Summarized.class);
            if (message.isEmpty() && note.isEmpty() && summary.isEmpty()) {
                return;
            }
            if (message.isPresent()) {
                repeat(message.get(), history);
            }
            note.ifPresent(told -> history.tell(told.note()));
            summary.ifPresent(it -> compaction.repeat(it, history));
        }
    }

    /** Makes room first if there is little, and once more if the provider says so. */
    private ModelReply askNow(RunHistory history, List<ToolDescription> tools)
            throws IOException, InterruptedException, AgentFailedException {
        if (window.isFull(
                settings.window().full(), ContextWindow.estimate(history.messages(), tools))) {
            compaction.makeRoom(history, settings.window().kept());
        }
        try {
            return call(history.messages(), tools);
        } catch (ModelException e) {
            boolean isOverflow = e.code() == ModelException.Code.CONTEXT_OVERFLOW;
            boolean mayBeDocuments = isOverflow || e.code() == ModelException.Code.MODEL_ERROR;
            if (mayBeDocuments && history.dropDocuments()) {
                steps.log(
                        LogLevel.WARN,
                        "asking again with hints instead of the documents: " + e.message());
                return askNow(history, tools);
            }
            if (!isOverflow || !compaction.afterOverflow(history, KEPT_AFTER_OVERFLOW)) {
                throw failure(e);
            }
        }
        try {
            return call(history.messages(), tools);
        } catch (ModelException e) {
            throw failure(e);
        }
    }

    private ModelReply call(ChatHistory request, List<ToolDescription> tools)
            throws IOException, InterruptedException, ModelException {
        lines.nextCall();
        ModelReply reply = model.ask(request, tools, lines);
        String thoughts = lines.thoughts();
        journal.write(new JournalEntry.Reply(reply, thoughts), lines.takeUsage());
        learn(request, tools, reply);
        return reply;
    }

    private void learn(ChatHistory request, List<ToolDescription> tools, ModelReply reply) {
        if (reply.usage() != null) {
            window.learn(ContextWindow.estimate(request, tools), reply.usage());
        }
    }

    private AgentFailedException failure(ModelException e) {
        String message =
                e.code() == ModelException.Code.CONTEXT_OVERFLOW
                        ? "The message and its files are longer than the model takes, even after"
                                + " the conversation was summarized. Send less at once, or choose"
                                + " a model that takes more. The provider says: "
                                + e.message()
                        : e.message();
        return new AgentFailedException(e.code().wireName(), message);
    }
}
