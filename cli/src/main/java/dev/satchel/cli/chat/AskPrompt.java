package dev.satchel.cli.chat;

import dev.satchel.cli.output.Output;
import dev.satchel.client.EventPosition;
import dev.satchel.client.RunEvents;
import dev.satchel.client.SatchelClient;
import dev.satchel.client.model.Answer;
import dev.satchel.client.model.AnswersAccepted;
import dev.satchel.client.model.Ask;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Lets the person answer what a run has asked. */
final class AskPrompt {
    private static final int MOST = 200;

    private final SatchelClient client;
    private final Output output;
    private final LineSource lines;

    /** Reads one line after a prompt; empty at the end of the input or after Ctrl-C. */
    @FunctionalInterface
    interface LineSource {
        Optional<String> read(String prompt) throws IOException;
    }

    AskPrompt(SatchelClient client, Output output, LineSource lines) {
        this.client = client;
        this.output = output;
        this.lines = lines;
    }

    /** The events after the answers; empty when the person did not answer all. */
    Optional<RunEvents> answer(String run) throws IOException, InterruptedException {
        long seen = client.runs().read(run).lastSeq();
        boolean isRunning = false;
        for (Ask ask : open(run)) {
            Optional<Answer> answer = ask(ask);
            if (answer.isEmpty()) {
                output.note(
                        "The run waits. Answer later: satchel answer " + run + " " + ask.askId());
                return Optional.empty();
            }
            AnswersAccepted accepted = client.asks().answer(run, List.of(answer.get()));
            isRunning = accepted.status().equals("running");
        }
        return isRunning
                ? Optional.of(client.runs().events(new EventPosition(run, seen)))
                : Optional.empty();
    }

    /** In the order in which they were asked. */
    private List<Ask> open(String run) throws IOException, InterruptedException {
        return client.asks().open(MOST, null).asks().reversed().stream()
                .filter(ask -> ask.runId().equals(run))
                .toList();
    }

    private Optional<Answer> ask(Ask ask) throws IOException {
        while (true) {
            Optional<String> line =
                    lines.read(ask.isQuestion() ? "answer> " : "[y]es [n]o [a]lways> ");
            if (line.isEmpty()) {
                return Optional.empty();
            }
            Optional<Answer> answer = parse(ask, line.get().strip());
            if (answer.isPresent()) {
                return answer;
            }
        }
    }

    private static Optional<Answer> parse(Ask ask, String line) {
        if (ask.isQuestion()) {
            return line.isEmpty() ? Optional.empty() : Optional.of(Answer.text(ask.askId(), line));
        }
        return switch (line.toLowerCase(Locale.ROOT)) {
            case "y", "yes" -> Optional.of(Answer.allow(ask.askId()));
            case "a", "always" -> Optional.of(Answer.allow(ask.askId()).forChat());
            case "n", "no" -> Optional.of(Answer.deny(ask.askId(), null));
            default -> Optional.empty();
        };
    }
}
