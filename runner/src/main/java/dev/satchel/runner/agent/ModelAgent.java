package dev.satchel.runner.agent;

import dev.satchel.protocol.Json;
import dev.satchel.protocol.LogLevel;
import dev.satchel.runner.model.ChatHistory;
import dev.satchel.runner.model.Model;
import dev.satchel.runner.model.ModelException;
import dev.satchel.runner.model.ModelReply;
import dev.satchel.tools.ToolResult;
import java.io.IOException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.StringNode;

/** Asks a model and runs the tools it calls, until it answers without a tool call. */
public final class ModelAgent implements AgentLoop {
    private final Model model;

    public ModelAgent(Model model) {
        this.model = model;
    }

    @Override
    public String answer(AgentTask task, StepRecorder steps)
            throws IOException, InterruptedException, AgentFailedException {
        PromptAttachments attached = PromptAttachments.of(task.files(), task.context().workspace());
        ChatHistory history = new ChatHistory(SystemPrompt.of(task), task.history());
        history.ask(task.prompt() + attached.hints(), attached.images());
        AnswerText text = new AnswerText(task.streamText(), steps);
        for (int rounds = 0; ; rounds++) {
            ModelReply reply = ask(history, task, text);
            if (reply.cut()) {
                steps.log(LogLevel.WARN, "the model's answer was cut at its token limit");
            }
            if (reply.calls().isEmpty()) {
                return reply.text(); // may be empty
            }
            if (rounds == task.maxRounds()) {
                throw new AgentFailedException(
                        "max_rounds",
                        "The agent used its tools in "
                                + rounds
                                + " rounds, which is the limit, and still had no answer.");
            }
            history.add(reply);
            for (ModelReply.Call call : reply.calls()) {
                history.add(call, call(call, task, steps));
            }
        }
    }

    private ModelReply ask(ChatHistory history, AgentTask task, AnswerText text)
            throws IOException, InterruptedException, AgentFailedException {
        try {
            text.nextMessage();
            return model.ask(history, task.tools().descriptions(), text::add);
        } catch (ModelException e) {
            throw new AgentFailedException(e.code().wireName(), e.message());
        }
    }

    private static ToolResult call(ModelReply.Call call, AgentTask task, StepRecorder steps)
            throws IOException, InterruptedException {
        JsonNode arguments;
        try {
            arguments = Json.MAPPER.readTree(call.arguments().isBlank() ? "{}" : call.arguments());
        } catch (JacksonException e) {
            return steps.step(
                    call.tool(),
                    StringNode.valueOf(call.arguments()),
                    () -> ToolResult.failure("The arguments are not valid JSON."));
        }
        return steps.step(
                call.tool(),
                arguments,
                () -> task.tools().call(call.tool(), arguments, task.context()));
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
