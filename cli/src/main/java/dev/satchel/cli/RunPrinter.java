package dev.satchel.cli;

import dev.satchel.client.Event;
import dev.satchel.client.FileInfo;
import java.io.PrintStream;
import java.util.HashMap;
import java.util.Map;

/**
 * Shows a run while it goes: steps beside, the answer as what was asked for. On a terminal a step's
 * line changes when it ends, and the answer is seen while it is written.
 */
final class RunPrinter implements AutoCloseable {
    private static final String CLEAR = "\r\u001b[2K";

    private final Output output;
    private final PrintStream err;
    private final boolean isLively = Terminals.wantsColour(Terminals.ERRORS, System.getenv());
    private final boolean isWatched = Terminals.isTerminal(Terminals.OUTPUT);
    private final Map<String, String> steps = new HashMap<>();
    private final StringBuilder written = new StringBuilder();
    private String openStep = "";

    RunPrinter(Output output) {
        this.output = output;
        this.err = output.err();
    }

    /** An event, and the JSON it came as. */
    void print(Event event, String json) {
        if (output.isJson()) {
            output.out().println(json);
            output.out().flush();
            return;
        }
        switch (event) {
            case Event.Step step -> step(step);
            case Event.Delta delta -> delta(delta.text());
            case Event.Result result -> result(result);
            case Event.Failure failure -> failure(failure);
            case Event.Log _, Event.Started _, Event.RunStarted _, Event.Unknown _ -> {}
            case Event.End _ -> output.out().flush();
        }
    }

    /** The events will go on, later. */
    void lost() {
        closeStep();
        output.note("The connection is lost; trying to go on.");
    }

    /** Leaves no line open, however it ended. */
    @Override
    public void close() {
        closeStep();
        endWritten();
    }

    private void step(Event.Step step) {
        endWritten();
        if (step.isRunning()) {
            closeStep();
            String line = StepLine.of(step);
            steps.put(step.id(), line);
            if (isLively) {
                err.print("\u001b[2m▸ " + line + "\u001b[0m");
                err.flush();
                openStep = step.id();
            } else {
                err.println("- " + line);
            }
            return;
        }
        String line = steps.getOrDefault(step.id(), StepLine.of(step)) + StepLine.outcome(step);
        boolean isGood = step.status().equals("succeeded");
        if (!isLively) {
            err.println((isGood ? "+ " : "! ") + line);
            return;
        }
        if (openStep.equals(step.id())) {
            err.print(CLEAR);
            openStep = "";
        }
        closeStep();
        err.println((isGood ? "\u001b[32m✓\u001b[0m " : "\u001b[31m✗\u001b[0m ") + line);
    }

    /** A line that waits for its end is left as it stands when something else comes. */
    private void closeStep() {
        if (!openStep.isEmpty()) {
            err.println();
            openStep = "";
        }
    }

    private void delta(String text) {
        if (isWatched) {
            closeStep();
            output.out().print(Words.harmless(text));
            output.out().flush();
            written.append(text);
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
        boolean isSeen = written.toString().strip().equals(result.message().strip());
        endWritten();
        if (!isSeen) {
            output.out().println(isWatched ? Words.harmless(result.message()) : result.message());
        }
        output.out().flush();
        for (FileInfo file : result.files()) {
            err.println("» " + Table.plain(file.name()) + "  " + Words.size(file.size()));
        }
    }

    private void failure(Event.Failure failure) {
        closeStep();
        endWritten();
        err.println("satchel: " + Words.harmless(failure.message()) + " (" + failure.code() + ")");
    }
}
