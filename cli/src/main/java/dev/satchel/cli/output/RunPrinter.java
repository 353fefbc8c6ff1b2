package dev.satchel.cli.output;

import dev.satchel.client.model.Event;
import dev.satchel.client.model.FileInfo;
import dev.satchel.client.model.NotHandedOver;
import dev.satchel.client.model.RunUsage;
import java.io.PrintStream;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Prints the events of a run: steps to standard error, the answer to standard output. On a terminal
 * the line of a step changes when the step ends, and the answer appears while it is written.
 */
public final class RunPrinter implements AutoCloseable {
    private static final String CLEAR = "\r\u001b[2K";

    private final Output output;
    private final PrintStream err;
    private final boolean isAnimated = Terminals.wantsColour(Terminals.ERRORS, System.getenv());
    private final boolean isTerminal = Terminals.isTerminal(Terminals.OUTPUT);
    private final Map<String, String> steps = new HashMap<>();
    private final StringBuilder written = new StringBuilder();
    private final TerminalText printedText = new TerminalText();
    private String openStep = "";
    private boolean isThinking;
    private boolean isPrinted;
    private boolean isAsked;

    public RunPrinter(Output output) {
        this.output = output;
        this.err = output.err();
    }

    /** Prints an event, or the JSON it was received as. */
    public void print(Event event, String json) {
        if (output.isJson()) {
            output.out().println(json);
            output.out().flush();
            return;
        }
        switch (event) {
            case Event.Step step -> step(step);
            case Event.Delta delta -> delta(delta.text());
            case Event.Thinking thinking -> think(thinking.text());
            case Event.Output printed -> printed(printed);
            case Event.Usage _ -> {} // the result has the sum
            case Event.Retry retry -> withdraw(RunFormat.of(retry));
            case Event.Resumed resumed -> resumed(resumed);
            case Event.Queued queued -> queued(queued);
            case Event.Asked asked -> asked(asked);
            case Event.Steer steer -> heard(steer);
            case Event.Result result -> result(result);
            case Event.Failure failure -> failure(failure);
            case Event.Log _, Event.Started _, Event.RunStarted _, Event.Unknown _ -> {}
            case Event.End end -> end(end);
        }
    }

    private void asked(Event.Asked asked) {
        close();
        output.note(RunFormat.of(asked));
        isAsked = true;
    }

    /** After an answer that is what the person expects; else the server was lost. */
    private void resumed(Event.Resumed resumed) {
        if (!isAsked) {
            withdraw(RunFormat.of(resumed));
        }
        isAsked = false;
    }

    private void queued(Event.Queued queued) {
        if (queued.position() > 0) {
            output.note(RunFormat.of(queued));
        }
    }

    private void end(Event.End end) {
        if (end.status().equals("waiting")) {
            close();
        }
        output.out().flush();
    }

    /** Called when the connection is lost and will be opened again. */
    public void connectionLost() {
        closeStep();
        endThinking();
        endPrinted();
        if (!written.isEmpty()) {
            output.out().println(); // the answer goes on below
        }
        output.note("The connection is lost; connecting again.");
    }

    /** Ends an unfinished line. */
    @Override
    public void close() {
        closeStep();
        endThinking();
        endPrinted();
        endWritten();
    }

    private void step(Event.Step step) {
        endWritten();
        endThinking();
        endPrinted();
        if (step.isRunning()) {
            closeStep();
            String line = StepFormat.of(step);
            steps.put(step.id(), line);
            if (isAnimated) {
                err.print("\u001b[2m▸ " + line + "\u001b[0m");
                err.flush();
                openStep = step.id();
            } else {
                err.println("- " + line);
            }
            return;
        }
        String line = steps.getOrDefault(step.id(), StepFormat.of(step)) + StepFormat.outcome(step);
        boolean isSucceeded = step.status().equals("succeeded");
        if (!isAnimated) {
            err.println((isSucceeded ? "+ " : "! ") + line);
            return;
        }
        if (openStep.equals(step.id())) {
            err.print(CLEAR);
            openStep = "";
        }
        closeStep();
        err.println((isSucceeded ? "\u001b[32m✓\u001b[0m " : "\u001b[31m✗\u001b[0m ") + line);
    }

    /** Thoughts are dim and are no part of the answer. */
    private void think(String text) {
        if (isAnimated) {
            closeStep();
            endPrinted();
            String shown = HumanFormat.removeControls(text);
            err.print("\u001b[2m" + (isThinking ? shown : shown.stripLeading()) + "\u001b[0m");
            err.flush();
            isThinking = true;
        }
    }

    private void endThinking() {
        if (isThinking) {
            err.println();
            isThinking = false;
        }
    }

    /** What a command prints, as it comes; in a pipe only its result counts. */
    private void printed(Event.Output output) {
        if (isAnimated) {
            closeStep();
            endThinking();
            String text = printedText.plain(output.text());
            err.print("\u001b[2m" + text + "\u001b[0m");
            err.flush();
            isPrinted = !text.isEmpty() && !text.endsWith("\n");
        }
    }

    private void endPrinted() {
        if (isPrinted) {
            err.println();
            isPrinted = false;
        }
    }

    /** Text on a terminal cannot be taken back, so the note says that it does not count. */
    private void withdraw(String reason) {
        closeStep();
        endThinking();
        boolean isWithdrawn = !written.isEmpty();
        endWritten();
        output.note(
                reason + (isWithdrawn ? ". The text above is withdrawn and written again." : ""));
    }

    private void heard(Event.Steer steer) {
        closeStep();
        endThinking();
        endWritten();
        output.note("» heard: " + Table.plain(steer.text()));
    }

    /** Ends the line of a running step before other output. */
    private void closeStep() {
        if (!openStep.isEmpty()) {
            err.println();
            openStep = "";
        }
    }

    private void delta(String text) {
        if (isTerminal) {
            closeStep();
            endThinking();
            endPrinted();
            String begin = written.isEmpty() ? text.stripLeading() : text;
            output.out().print(HumanFormat.removeControls(begin));
            output.out().flush();
            written.append(begin);
        }
    }

    private void endWritten() {
        if (!written.isEmpty()) {
            output.out().println();
            written.setLength(0);
        }
    }

    private void result(Event.Result result) {
        closeStep();
        endThinking();
        endPrinted();
        boolean isWritten = written.toString().strip().equals(result.message().strip());
        endWritten();
        if (result.message().isBlank()) {
            output.note("The answer has no text.");
        } else if (!isWritten) {
            output.out()
                    .println(
                            isTerminal
                                    ? HumanFormat.removeControls(result.message())
                                    : result.message());
        }
        output.out().flush();
        for (FileInfo file : result.files()) {
            err.println(MessagePrinter.line(file));
        }
        for (NotHandedOver file : result.notHandedOver()) {
            err.println(MessagePrinter.line(file));
        }
        if (result.stopped() != null) {
            output.note(RunFormat.stopped(result.stopped()));
        }
        RunUsage usage = result.usage();
        if (usage != null && isAnimated) {
            err.println("\u001b[2m" + RunFormat.of(usage) + "\u001b[0m");
        }
        pending(result.workspace());
    }

    private void pending(@Nullable String workspace) {
        if (workspace != null) {
            err.println(MessagePrinter.PENDING);
        }
    }

    private void failure(Event.Failure failure) {
        closeStep();
        endThinking();
        endPrinted();
        endWritten();
        err.println(
                "satchel: "
                        + HumanFormat.removeControls(failure.message())
                        + " ("
                        + failure.code()
                        + ")");
        pending(failure.workspace());
    }
}
