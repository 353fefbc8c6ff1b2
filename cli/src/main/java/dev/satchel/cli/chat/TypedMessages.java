package dev.satchel.cli.chat;

import dev.satchel.cli.common.CliException;
import dev.satchel.cli.output.Output;
import dev.satchel.client.SatchelClient;
import dev.satchel.client.SentMessage;
import dev.satchel.client.model.TurnRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Queues the lines that are typed while a run is printed. */
final class TypedMessages implements AutoCloseable {
    private static final Duration LOOK = Duration.ofMillis(100);

    private final SatchelClient client;
    private final Output output;
    private final Source source;
    private final @Nullable String model;
    private volatile boolean isClosed;
    private @Nullable Thread thread; // of the thread that prints, like begin and close

    TypedMessages(SatchelClient client, Output output, Source source, @Nullable String model) {
        this.client = client;
        this.output = output;
        this.source = source;
        this.model = model;
    }

    /** The next typed line, if there is one. */
    @FunctionalInterface
    interface Source {
        Optional<String> poll() throws IOException;
    }

    /** Queues what is typed from now on in this chat. */
    void begin(String chat) {
        if (thread == null) {
            thread = Thread.ofVirtual().name("typed-messages").start(() -> queueAll(chat));
        }
    }

    /** Returns when the last line is queued, so that the next prompt reads the following one. */
    @Override
    public void close() {
        isClosed = true;
        if (thread != null) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void queueAll(String chat) {
        try {
            while (!isClosed) {
                Optional<String> line = source.poll();
                if (line.isEmpty()) {
                    Thread.sleep(LOOK);
                } else if (!line.get().isBlank()) {
                    queue(chat, line.get().strip());
                }
            }
        } catch (IOException e) {
            output.note("satchel: cannot read what you type: " + CliException.messageOf(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void queue(String chat, String text) throws InterruptedException {
        Optional<SlashCommand> command = SlashCommand.parse(text);
        if (command.isPresent()) {
            output.note(command.get().kind().word() + " works when the turn has ended.");
            return;
        }
        try {
            switch (client.chats().sendOrQueue(TurnRequest.of(text).withModel(model).in(chat))) {
                case SentMessage.Queued queued ->
                        output.note("Queued as number " + queued.position() + ".");
                case SentMessage.Started started -> started.events().close(); // followed next
            }
        } catch (IOException e) {
            output.note("satchel: not queued: " + CliException.messageOf(e));
        }
    }
}
