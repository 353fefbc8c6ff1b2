package dev.satchel.cli.chat;

import dev.satchel.cli.output.Output;
import dev.satchel.cli.output.RunFormat;
import dev.satchel.client.ApiException;
import dev.satchel.client.EventPosition;
import dev.satchel.client.RunEvents;
import dev.satchel.client.SatchelClient;
import dev.satchel.client.model.Answer;
import dev.satchel.client.model.Ask;
import dev.satchel.client.model.AskPage;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Lets the person answer what a run has asked. */
final class AskPrompt {
    private static final int PAGE = 200;
    private static final int CONFLICT = 409;

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
        List<Ask> open = open(run);
        boolean isContinued = open.isEmpty() && isContinued(run);
        for (Ask ask : open) {
            if (open.size() > 1) {
                output.note(RunFormat.of(ask)); // the one of several that is asked for now
            }
            Optional<Answer> answer = ask(ask);
            if (answer.isEmpty()) {
                output.note(
                        "The run waits for your answer. /resume asks again; or: satchel answer "
                                + (run + " " + ask.askId()));
                return Optional.empty();
            }
            isContinued = send(run, answer.get());
        }
        return isContinued
                ? Optional.of(client.runs().events(new EventPosition(run, seen)))
                : Optional.empty();
    }

    /** Returns whether the run goes on. */
    private boolean send(String run, Answer answer) throws IOException, InterruptedException {
        try {
            return client.asks().answer(run, List.of(answer)).status().equals("running");
        } catch (ApiException e) {
            if (e.status() != CONFLICT) {
                throw e;
            }
            output.note("It was answered elsewhere; your answer does not count.");
            return isContinued(run);
        }
    }

    private boolean isContinued(String run) throws IOException, InterruptedException {
        return !client.runs().read(run).status().equals("waiting");
    }

    /** In the order in which they were asked. */
    private List<Ask> open(String run) throws IOException, InterruptedException {
        List<Ask> found = List.of();
        AskPage page = null;
        while (found.isEmpty() && (page == null || page.nextCursor() != null)) {
            page = client.asks().open(PAGE, page == null ? null : page.nextCursor());
            found = page.asks().stream().filter(ask -> ask.runId().equals(run)).toList();
        }
        return found.reversed();
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
            output.note(
                    ask.isQuestion()
                            ? "Type an answer. Ctrl-C leaves the run waiting."
                            : "Type y, n, n with a reason, or a. Ctrl-C leaves the run waiting.");
        }
    }

    private static Optional<Answer> parse(Ask ask, String line) {
        if (ask.isQuestion()) {
            return line.isEmpty()
                    ? Optional.empty()
                    : Optional.of(Answer.text(ask.askId(), chosen(ask.options(), line)));
        }
        int end = line.indexOf(' ');
        String word = (end < 0 ? line : line.substring(0, end)).toLowerCase(Locale.ROOT);
        String rest = end < 0 ? "" : line.substring(end).strip();
        return switch (word) {
            case "n", "no" -> Optional.of(Answer.deny(ask.askId(), rest.isEmpty() ? null : rest));
            case "y", "yes" ->
                    rest.isEmpty() ? Optional.of(Answer.allow(ask.askId())) : Optional.empty();
            case "a", "always" ->
                    rest.isEmpty()
                            ? Optional.of(Answer.allow(ask.askId()).forChat())
                            : Optional.empty();
            default -> Optional.empty();
        };
    }

    /** The option with a number; every other line is an answer itself. */
    private static String chosen(List<String> options, String line) {
        for (int i = 0; i < options.size(); i++) {
            if (line.equals(Integer.toString(i + 1)) && !options.contains(line)) {
                return options.get(i);
            }
        }
        return line;
    }
}
