package dev.satchel.runner.agent;

import dev.satchel.protocol.LogLevel;
import dev.satchel.protocol.SandboxLine.Result;
import dev.satchel.runner.model.Model;
import dev.satchel.runner.model.ModelException;
import dev.satchel.runner.model.ModelReply;
import dev.satchel.tools.ToolDescription;
import java.io.IOException;
import java.util.List;

/** The rounds of one run: each is a reply of the model and the tool calls in it. */
final class ModelRounds {
    private static final int MAX_CONTINUATIONS = 4;

    private static final String CONTINUE =
            "[Your reply reached its token limit. Continue exactly where it stopped: repeat nothing"
                    + " and do not mention the interruption.]";
    private static final String BEGIN =
            "[Your reply reached its token limit before it began. Think less and answer briefly.]";

    private final Model model;
    private final AgentTask task;
    private final StepRecorder steps;
    private final AnswerText text;
    private final ToolCallRunner calls;

    ModelRounds(Model model, AgentTask task, StepRecorder steps) {
        this.model = model;
        this.task = task;
        this.steps = steps;
        text = new AnswerText(task.streamText(), steps);
        calls = new ToolCallRunner(task, steps);
    }

    AgentAnswer answer() throws IOException, InterruptedException, AgentFailedException {
        PromptAttachments attached = PromptAttachments.of(task.files(), task.context().workspace());
        RunHistory history =
                new RunHistory(
                        SystemPrompt.of(task),
                        task.history(),
                        new RunHistory.Prompt(task.prompt() + attached.hints(), attached.images()));
        for (int rounds = 0; ; rounds++) {
            WholeReply reply = askWhole(history, task.tools().descriptions());
            if (reply.last().calls().isEmpty()) { // the text may be empty
                return new AgentAnswer(reply.text(), reply.cut() ? Result.MAX_TOKENS : null);
            }
            if (rounds == task.maxRounds()) {
                return sumUp(history, rounds);
            }
            history.add(reply.last(), calls.run(reply.last()));
        }
    }

    private AgentAnswer sumUp(RunHistory history, int rounds)
            throws IOException, InterruptedException, AgentFailedException {
        steps.log(LogLevel.WARN, "the agent used all its rounds: " + rounds);
        RunHistory question =
                history.withoutTools(
                        "[You have used your tools in "
                                + rounds
                                + " rounds, which is the limit, and cannot use them again. Answer"
                                + " now: say what is done, what you found and what is missing.]");
        String answer = askWhole(question, List.of()).text();
        if (answer.isBlank()) {
            answer =
                    "The agent used its tools in %d rounds, which is the limit, and gave no answer."
                            .formatted(rounds);
            text.nextMessage();
            text.add(answer);
        }
        return new AgentAnswer(answer, Result.MAX_ROUNDS);
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
        text.nextMessage();
        for (int continuations = 0; ; continuations++) {
            ModelReply reply = ask(history, tools);
            whole.append(reply.text());
            boolean done = !reply.cut() || (!reply.calls().isEmpty() && !tools.isEmpty());
            if (done || continuations == MAX_CONTINUATIONS) {
                return new WholeReply(whole.toString(), reply);
            }
            history.add(reply.withoutCalls(), reply.text().isBlank() ? BEGIN : CONTINUE);
        }
    }

    private ModelReply ask(RunHistory history, List<ToolDescription> tools)
            throws IOException, InterruptedException, AgentFailedException {
        try {
            return model.ask(history.messages(), tools, text::add);
        } catch (ModelException e) {
            throw new AgentFailedException(e.code().wireName(), e.message());
        }
    }

    /** Streams text, with a blank line between the messages before and after tool calls. */
    private static final class AnswerText {
        private final boolean wanted;
        private final StepRecorder steps;
        private boolean started;
        private boolean gap;

        AnswerText(boolean wanted, StepRecorder steps) {
            this.wanted = wanted;
            this.steps = steps;
        }

        void nextMessage() {
            gap = started;
        }

        void add(String piece) throws IOException {
            if (wanted && !piece.isEmpty()) {
                steps.text(gap ? "\n\n" + piece : piece);
                started = true;
                gap = false;
            }
        }
    }
}
