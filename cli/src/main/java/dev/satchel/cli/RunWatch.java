package dev.satchel.cli;

import dev.satchel.client.Event;
import dev.satchel.client.RunEvents;
import dev.satchel.client.SatchelClient;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Shows one run to its end; Ctrl-C cancels it, and a second time leaves at once. */
final class RunWatch {
    private final SatchelClient client;
    private final Output output;
    private volatile @Nullable String run;
    private volatile boolean isCancelled;

    RunWatch(SatchelClient client, Output output) {
        this.client = client;
        this.output = output;
    }

    /** Makes the events, which may take a while too. */
    @FunctionalInterface
    interface Start {
        RunEvents start() throws IOException, InterruptedException;
    }

    /** How it ended; whoever listens hears each event after it was shown. */
    String follow(Start start, Consumer<Event> listener) throws IOException, InterruptedException {
        try (Interrupts _ = new Interrupts(this::cancel);
                RunPrinter printer = new RunPrinter(output);
                RunEvents events = start.start()) {
            events.whenLost(printer::lost);
            String status = "interrupted";
            for (Optional<Event> event = events.next(); event.isPresent(); event = events.next()) {
                notice(event.get());
                printer.print(event.get(), events.json());
                listener.accept(event.get());
                if (event.get() instanceof Event.End(String how)) {
                    status = how;
                }
            }
            return status;
        }
    }

    /** Ctrl-C may come before the run has a name. */
    private void notice(Event event) {
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
        output.note("\nCancelling; Ctrl-C again leaves at once.");
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
