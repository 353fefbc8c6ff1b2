package dev.satchel.cli.chat;

import dev.satchel.cli.common.CliException;
import dev.satchel.cli.output.Output;
import dev.satchel.client.SatchelClient;
import dev.satchel.client.SentMessage;
import dev.satchel.client.model.TurnRequest;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Queues the lines that are typed while a run is printed, or lets its agent hear them. */
final class TypedMessages implements AutoCloseable {
    private static final Duration LOOK = Duration.ofMillis(100);
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final SatchelClient client;
    private final Output output;
    private final Source source;
    private final ChosenAgent chosen;
    private volatile boolean isClosed;
    private @Nullable Thread thread; // of the thread that prints, like begin and close

    TypedMessages(SatchelClient client, Output output, Source source, ChosenAgent chosen) {
        this.client = client;
        this.output = output;
        this.source = source;
        this.chosen = chosen;
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
        if (command.isEmpty()) {
            send(TurnRequest.of(text).in(chat).queuedWhenBusy());
        } else if (command.get().kind() != SlashCommand.Kind.STEER) {
            output.note(command.get().kind().word() + " works when the turn has ended.");
        } else if (command.get().text().isEmpty()) {
            output.note("satchel: a text is missing: /steer TEXT");
        } else {
            send(TurnRequest.of(command.get().text()).in(chat).steeringWhenBusy());
        }
    }

    /** A message that cannot reach the server is sent when the connection is back. */
    private void send(TurnRequest message) throws InterruptedException {
        boolean isDelayed = false;
        while (true) {
            try {
                sendNow(message);
                return;
            } catch (ConnectException e) {
                if (isClosed) { // the connection was given up
                    output.note("satchel: not sent: " + message.message());
                    return;
                }
                if (!isDelayed) {
                    output.note("The message is sent when the connection is back.");
                }
                isDelayed = true;
                Thread.sleep(RETRY);
            } catch (IOException e) {
                output.note("satchel: not sent: " + CliException.messageOf(e));
                return;
            }
        }
    }

    private void sendNow(TurnRequest message) throws IOException, InterruptedException {
        switch (client.chats().sendOrQueue(chosen.in(message))) {
            case SentMessage.Queued queued -> output.note(note(message, queued));
            case SentMessage.Started started -> started.events().close(); // followed next
        }
    }

    /** What becomes of a message that was sent during a turn. */
    static String note(TurnRequest message, SentMessage.Queued queued) {
        return "steer".equals(message.whenBusy())
                ? "Sent to the running agent. If the turn ends first, it is answered next."
                : "Queued as number " + queued.position() + ".";
    }
}
