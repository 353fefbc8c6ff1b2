package dev.satchel.cli.chat;

import dev.satchel.cli.common.AttachmentUploader;
import dev.satchel.cli.common.DownloadWriter;
import dev.satchel.cli.common.IdResolver;
import dev.satchel.cli.common.RunFollower;
import dev.satchel.cli.output.Output;
import dev.satchel.client.DownloadStream;
import dev.satchel.client.RunEvents;
import dev.satchel.client.SatchelClient;
import dev.satchel.client.model.Event;
import dev.satchel.client.model.FileInfo;
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
    private final List<FileInfo> attached = new ArrayList<>();
    private final @Nullable String model;
    private @Nullable String chat;

    ChatSession(
            SatchelClient client, Output output, @Nullable String chat, @Nullable String model) {
        this.client = client;
        this.output = output;
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

    /** Sends a message, prints the answer and returns the final status of the run. */
    String send(String message) throws IOException, InterruptedException {
        TurnRequest turn =
                TurnRequest.of(message)
                        .withModel(model)
                        .with(attached.stream().map(FileInfo::id).toList());
        TurnRequest located = chat == null ? turn : turn.in(chat);
        String status = follow(() -> client.chats().send(located));
        attached.clear();
        return status;
    }

    /** Prints the events of a run that is in progress, if there is one. */
    void followRunning() throws IOException, InterruptedException {
        if (chat == null) {
            return;
        }
        Optional<RunEvents> running = client.chats().follow(chat);
        if (running.isPresent()) {
            follow(running::get);
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

    private String follow(RunFollower.EventSource source) throws IOException, InterruptedException {
        Consumer<Event> name =
                event -> {
                    if (event instanceof Event.Started started) {
                        chat = started.chatId();
                    }
                };
        return new RunFollower(client, output).follow(source, name);
    }
}
