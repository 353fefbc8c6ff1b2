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

    /** A message of the user with its images and documents. */
    public record Question(String text, List<ToolResult.Image> images, List<Document> documents)
            implements Message {
        public Question {
            images = List.copyOf(images);
            documents = List.copyOf(documents);
        }

        /** The text for a model that gets the documents themselves, or for one that does not. */
        String text(boolean withDocuments) {
            StringBuilder all = new StringBuilder(text);
            for (Document document : documents) {
                all.append(withDocuments ? document.sentHint() : document.otherHint());
            }
            return all.toString();
        }
    }

    /**
     * A PDF that is sent as it is.
     *
     * @param sentHint what the model reads about it
     * @param otherHint what a model reads that does not take PDFs
     */
    public record Document(
            String name, int pages, String base64, String sentHint, String otherHint) {}

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
                            : new Question(turn.content(), List.of(), List.of()));
        }
    }

    /** Adds the message of the user with its images. */
    public void ask(String text, List<ToolResult.Image> images) {
        ask(text, images, List.of());
    }

    public void ask(String text, List<ToolResult.Image> images, List<Document> documents) {
        messages.add(new Question(text, images, documents));
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
