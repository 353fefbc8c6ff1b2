package dev.satchel.cli.chat;

import dev.satchel.cli.common.AttachmentUploader;
import dev.satchel.cli.common.DownloadWriter;
import dev.satchel.cli.common.IdResolver;
import dev.satchel.cli.common.RunFollower;
import dev.satchel.cli.output.MessagePrinter;
import dev.satchel.cli.output.Output;
import dev.satchel.client.DownloadStream;
import dev.satchel.client.RunEvents;
import dev.satchel.client.SatchelClient;
import dev.satchel.client.SentMessage;
import dev.satchel.client.model.Event;
import dev.satchel.client.model.FileInfo;
import dev.satchel.client.model.Message;
import dev.satchel.client.model.MessageQueue;
import dev.satchel.client.model.QueuedMessage;
import dev.satchel.client.model.TurnRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The current chat and the attachments of its next message. */
final class ChatSession {
    private final SatchelClient client;
    private final Output output;
    private final TypedMessages.Source typed;
    private final AskPrompt asks;
    private final List<FileInfo> attached = new ArrayList<>();
    private final @Nullable String model;
    private @Nullable String chat;
    private @Nullable String run;

    ChatSession(
            SatchelClient client,
            Output output,
            TypedMessages.Source typed,
            AskPrompt asks,
            @Nullable String chat,
            @Nullable String model) {
        this.client = client;
        this.output = output;
        this.typed = typed;
        this.asks = asks;
        this.chat = chat;
        this.model = model;
    }

    Optional<String> chat() {
        return Optional.ofNullable(chat);
    }

    void startNew() {
        chat = null;
        attached.clear();
    }

    /**
     * Sends a message, prints the answer and those to the messages that wait meanwhile, and returns
     * the final status of the last run.
     */
    String send(String message) throws IOException, InterruptedException {
        TurnRequest turn =
                TurnRequest.of(message)
                        .withModel(model)
                        .with(attached.stream().map(FileInfo::id).toList());
        TurnRequest located = chat == null ? turn : turn.in(chat);
        SentMessage sent = client.chats().sendOrQueue(located);
        attached.clear();
        return switch (sent) {
            case SentMessage.Started started -> {
                String status = follow(started::events);
                yield isWaiting(status) ? status : followQueued().orElse(status);
            }
            case SentMessage.Queued _ -> followQueued().orElse("waiting");
        };
    }

    /** Prints the run in progress, if there is one, and those of the messages that wait. */
    void followRunning() throws IOException, InterruptedException {
        Optional<RunEvents> running = running();
        if (running.isPresent()) {
            String status = follow(running::get);
            if (isWaiting(status)) {
                return;
            }
        }
        Optional<String> _ = followQueued();
    }

    /** Prints each message that waited, and its answer; the final status of the last run. */
    private Optional<String> followQueued() throws IOException, InterruptedException {
        Optional<String> status = Optional.empty();
        Optional<RunEvents> running = running();
        while (running.isPresent()) {
            printNewestMessage();
            status = Optional.of(follow(running::get));
            if (isWaiting(status.get())) {
                return status;
            }
            running = running();
        }
        noteWaiting();
        return status;
    }

    private void printNewestMessage() throws IOException, InterruptedException {
        if (chat != null && !output.isJson()) {
            List<Message> newest = client.chats().read(chat, 2, null).messages();
            newest.stream()
                    .filter(message -> message.role().equals("user"))
                    .reduce((_, last) -> last)
                    .ifPresent(message -> MessagePrinter.print(message, output));
        }
    }

    private Optional<RunEvents> running() throws IOException, InterruptedException {
        return chat == null ? Optional.empty() : client.chats().follow(chat);
    }

    private void noteWaiting() throws IOException, InterruptedException {
        int waiting = queue().size();
        if (waiting > 0) {
            output.note("Messages that wait: " + waiting + ". /queue lists, /resume sends them.");
        }
    }

    List<QueuedMessage> queue() throws IOException, InterruptedException {
        return chat == null ? List.of() : client.queues().list(chat).messages();
    }

    /** Sends the messages that wait, and prints their answers. */
    void resume() throws IOException, InterruptedException {
        if (chat != null) {
            MessageQueue _ = client.queues().resume(chat);
            Optional<String> _ = followQueued();
        }
    }

    /** Whether the next message has files, so that it may be empty. */
    boolean hasAttachments() {
        return !attached.isEmpty();
    }

    List<FileInfo> attach(List<Path> files) throws IOException, InterruptedException {
        AttachmentUploader uploader = new AttachmentUploader(client, output);
        uploader.check(files);
        List<FileInfo> stored = uploader.upload(existingChat(), files);
        attached.addAll(stored);
        return stored;
    }

    List<FileInfo> files() throws IOException, InterruptedException {
        return chat == null ? List.of() : client.bags().list(chat);
    }

    void get(String name, @Nullable String to) throws IOException, InterruptedException {
        FileInfo file = IdResolver.file(files(), name);
        try (DownloadStream content = client.bags().open(existingChat(), file.id())) {
            DownloadWriter.save(content, file.name(), to, output);
        }
    }

    private String existingChat() throws IOException, InterruptedException {
        String existing = chat == null ? client.chats().create(null).id() : chat;
        chat = existing;
        return existing;
    }

    private static boolean isWaiting(String status) {
        return status.equals("waiting");
    }

    /** Prints a run to its end; what it asks meanwhile is answered at the prompt. */
    private String follow(RunFollower.EventSource source) throws IOException, InterruptedException {
        String status = print(source);
        while (isWaiting(status) && run != null) {
            Optional<RunEvents> more = asks.answer(run);
            if (more.isEmpty()) {
                return status;
            }
            status = print(more::get);
        }
        return status;
    }

    private String print(RunFollower.EventSource source) throws IOException, InterruptedException {
        try (TypedMessages messages = new TypedMessages(client, output, typed, model)) {
            Consumer<Event> listener =
                    event -> {
                        if (event instanceof Event.Started started) {
                            chat = started.chatId();
                            run = started.runId();
                            messages.begin(started.chatId());
                        }
                    };
            return new RunFollower(client, output).follow(source, listener);
        }
    }
}
