package dev.satchel.cli.common;

import dev.satchel.cli.output.Output;
import dev.satchel.cli.output.RunPrinter;
import dev.satchel.cli.output.Table;
import dev.satchel.client.RunEvents;
import dev.satchel.client.SatchelClient;
import dev.satchel.client.model.Event;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Prints the events of one run, in one part or, if it waits for answers, in several; Ctrl-C cancels
 * the run, a second Ctrl-C ends the program.
 */
public final class RunFollower {
    private final SatchelClient client;
    private final Output output;
    private final RunPrinter printer;
    private volatile @Nullable String run;
    private volatile boolean isCancelled;

    public RunFollower(SatchelClient client, Output output) {
        this.client = client;
        this.output = output;
        this.printer = new RunPrinter(output);
    }

    /** Opens the event stream. */
    @FunctionalInterface
    public interface EventSource {
        RunEvents open() throws IOException, InterruptedException;
    }

    /**
     * Returns the final status of the run, or {@code waiting}. The listener receives each event
     * after it is printed.
     */
    public String follow(EventSource source, Consumer<Event> listener)
            throws IOException, InterruptedException {
        try (InterruptHandler _ = new InterruptHandler(this::cancel);
                printer; // its last line ends
                RunEvents events = source.open()) {
            events.whenLost(printer::connectionLost);
            String status = "interrupted";
            for (Optional<Event> event = events.next(); event.isPresent(); event = events.next()) {
                rememberRun(event.get());
                printer.print(event.get(), events.json());
                printNotice(event.get());
                listener.accept(event.get());
                if (event.get() instanceof Event.End(String how)) {
                    status = how;
                }
            }
            return status;
        }
    }

    /** Why another agent answers than the chat has named. */
    private void printNotice(Event event) {
        if (event instanceof Event.Started started
                && started.notice() != null
                && !output.isJson()) {
            output.note(Table.plain(started.notice()));
        }
    }

    /** Ctrl-C may be pressed before the id of the run is known. */
    private void rememberRun(Event event) {
        String begun =
                switch (event) {
                    case Event.Started started -> started.runId();
                    case Event.RunStarted started -> started.runId();
                    default -> null;
                };
        if (begun != null) {
            run = begun;
            if (isCancelled) {
                stop(begun);
            }
        }
    }

    private void cancel() {
        isCancelled = true;
        output.note("\nCancelling; press Ctrl-C again to exit at once.");
        String begun = run;
        if (begun != null) {
            stop(begun);
        }
    }

    private void stop(String begun) {
        try {
            client.runs().cancel(begun);
        } catch (IOException e) {
            output.note("satchel: cannot cancel: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
