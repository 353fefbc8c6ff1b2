package dev.satchel.runner.agent;

import dev.satchel.runner.model.ChatHistory;
import dev.satchel.runner.model.ModelReply;
import dev.satchel.tools.ToolResult;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the model is told in one run: the earlier turns, the prompt, and the rounds so far. A call
 * and its result are in the same round, so they stay together. For one thread.
 */
final class RunHistory {
    /** The message of the person, with its images and documents. */
    record Prompt(
            String text, List<ToolResult.Image> images, List<ChatHistory.Document> documents) {
        Prompt {
            images = List.copyOf(images);
            documents = List.copyOf(documents);
        }

        Prompt withText(String other) {
            return new Prompt(other, images, documents);
        }
    }

    /** A reply, the results of its calls in their order, and what the model is told after them. */
    record Round(ModelReply reply, List<ToolResult> results, @Nullable String note) {
        Round {
            results = List.copyOf(results);
            if (results.size() != reply.calls().size()) {
                throw new IllegalArgumentException("every call has one result");
            }
        }
    }

    private final String systemPrompt;
    private Prompt prompt;
    private final List<Round> rounds = new ArrayList<>();
    private List<EarlierTurns.Turn> turns;
    private @Nullable String summary;

    RunHistory(String systemPrompt, List<EarlierTurns.Turn> turns, Prompt prompt) {
        this.systemPrompt = systemPrompt;
        this.turns = List.copyOf(turns);
        this.prompt = prompt;
    }

    /** Adds a reply with tool calls and their results. */
    void add(ModelReply reply, List<ToolResult> results) {
        rounds.add(new Round(reply, results, null));
    }

    /** Adds a reply without calls, and what the model is told about it. */
    void add(ModelReply reply, String note) {
        rounds.add(new Round(reply, List.of(), note));
    }

    /** Tells the model something after what it has done so far. */
    void tell(String note) {
        if (rounds.isEmpty()) {
            prompt = prompt.withText(prompt.text() + "\n\n" + note);
            return;
        }
        Round last = rounds.removeLast();
        String before = last.note() == null ? "" : last.note() + "\n\n";
        rounds.add(new Round(last.reply(), last.results(), before + note));
    }

    /** Leaves hints in the place of documents; returns whether there are any. */
    boolean dropDocuments() {
        StringBuilder text = new StringBuilder(prompt.text());
        prompt.documents().forEach(document -> text.append(document.otherHint()));
        boolean isAny = !prompt.documents().isEmpty();
        prompt = new Prompt(text.toString(), prompt.images(), List.of());
        return isAny;
    }

    List<EarlierTurns.Turn> turns() {
        return turns;
    }

    List<Round> rounds() {
        return List.copyOf(rounds);
    }

    /** The message of the person with the summary of what was replaced. */
    String promptText() {
        return summary == null
                ? prompt.text()
                : prompt.text() + "\n\n[Summary of what came before, to save room]\n" + summary;
    }

    /** The summary replaces the earlier turns, the last summary, and so many of the rounds. */
    void replace(int oldestRounds, String newSummary) {
        turns = List.of();
        rounds.subList(0, oldestRounds).clear();
        summary = newSummary;
    }

    /** The messages of the next request. */
    ChatHistory messages() {
        ChatHistory messages = new ChatHistory(systemPrompt, List.of());
        for (EarlierTurns.Turn turn : turns) {
            if (turn.fromUser()) {
                messages.ask(turn.text(), turn.images());
            } else {
                messages.add(new ModelReply(turn.text(), List.of(), false));
            }
        }
        messages.ask(promptText(), prompt.images(), prompt.documents());
        for (Round round : rounds) {
            add(round, messages);
        }
        return messages;
    }

    /**
     * The same history with the rounds as text in the message of the person: a provider refuses
     * tool calls in a request that offers no tools.
     */
    RunHistory withoutTools(String question, int maxCharacters) {
        String text =
                promptText()
                        + "\n\n"
                        + RoundTranscript.of(rounds, maxCharacters)
                        + "\n\n"
                        + question;
        return new RunHistory(systemPrompt, turns, prompt.withText(text));
    }

    private static void add(Round round, ChatHistory messages) {
        ModelReply reply = round.reply();
        if (!reply.calls().isEmpty() || !reply.text().isBlank()) { // providers refuse empty ones
            messages.add(reply);
        }
        for (int i = 0; i < reply.calls().size(); i++) {
            messages.add(reply.calls().get(i), round.results().get(i));
        }
        if (round.note() != null) {
            messages.ask(round.note(), List.of());
        }
    }
}
