package dev.satchel.runner.model;

import dev.satchel.protocol.ChatTurn;
import dev.satchel.tools.ToolResult;
import java.util.ArrayList;
import java.util.List;

/** The messages between user, model and tools. For one thread. */
public final class ChatHistory {
    private final String systemPrompt;
    private final List<Message> messages = new ArrayList<>();

    /** One message. */
    public sealed interface Message {}

    /** A message of the user with its images. */
    public record Question(String text, List<ToolResult.Image> images) implements Message {
        public Question {
            images = List.copyOf(images);
        }
    }

    /** A message of the model. */
    public record Reply(ModelReply reply) implements Message {}

    /** What a tool answered to a call of the reply before it. */
    public record Outcome(ModelReply.Call call, ToolResult result) implements Message {}

    public ChatHistory(String systemPrompt, List<ChatTurn> history) {
        this.systemPrompt = systemPrompt;
        for (ChatTurn turn : history) {
            boolean fromUser = turn.role().equals("user"); // providers require it of the first
            if (turn.content().isBlank() || (messages.isEmpty() && !fromUser)) {
                continue; // and refuse empty ones
            }
            messages.add(
                    turn.role().equals("assistant")
                            ? new Reply(new ModelReply(turn.content(), List.of(), false))
                            : new Question(turn.content(), List.of()));
        }
    }

    /** Adds the message of the user with its images. */
    public void ask(String text, List<ToolResult.Image> images) {
        messages.add(new Question(text, images));
    }

    public void add(ModelReply reply) {
        messages.add(new Reply(reply));
    }

    public void add(ModelReply.Call call, ToolResult result) {
        messages.add(new Outcome(call, result));
    }

    /**
     * Replaces the messages from {@code from} (inclusive) to {@code to} (exclusive). A reply with
     * calls and its outcomes must stay together.
     */
    public void replace(int from, int to, List<Message> replacement) {
        List<Message> replaced = messages.subList(from, to);
        replaced.clear();
        replaced.addAll(replacement);
    }

    public String systemPrompt() {
        return systemPrompt;
    }

    public List<Message> messages() {
        return List.copyOf(messages);
    }
}
