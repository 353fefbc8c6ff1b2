package dev.satchel.cli;

import dev.satchel.client.DownloadStream;
import dev.satchel.client.Event;
import dev.satchel.client.FileInfo;
import dev.satchel.client.TurnRequest;
import dev.satchel.client.RunEvents;
import dev.satchel.client.SatchelClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The chat that is going on: which one it is, and what the next message takes along. */
final class ChatSession {
    private final SatchelClient client;
    private final Output output;
    private final List<FileInfo> attached = new ArrayList<>();
    private @Nullable String chat;

    ChatSession(SatchelClient client, Output output, @Nullable String chat) {
        this.client = client;
        this.output = output;
        this.chat = chat;
    }

    Optional<String> chat() {
        return Optional.ofNullable(chat);
    }

    void begin() {
        chat = null;
        attached.clear();
    }

    /** Sends a message and shows what answers it; how that ended. */
    String say(String message) throws IOException, InterruptedException {
        TurnRequest turn = TurnRequest.of(message).with(attached.stream().map(FileInfo::id).toList());
        TurnRequest located = chat == null ? turn : turn.in(chat);
        String status = watch(() -> client.chats().send(located));
        attached.clear();
        return status;
    }

    /** Shows the run that is answering already, if one is. */
    void catchUp() throws IOException, InterruptedException {
        if (chat == null) {
            return;
        }
        Optional<RunEvents> running = client.chats().follow(chat);
        if (running.isPresent()) {
            watch(running::get);
        }
    }

    List<FileInfo> attach(List<Path> files) throws IOException, InterruptedException {
        Attachments attachments = new Attachments(client, output);
        attachments.check(files);
        List<FileInfo> stored = attachments.put(existingChat(), files);
        attached.addAll(stored);
        return stored;
    }

    List<FileInfo> files() throws IOException, InterruptedException {
        return chat == null ? List.of() : client.bags().list(chat);
    }

    void get(String name, @Nullable String to) throws IOException, InterruptedException {
        FileInfo file = Ids.file(files(), name);
        try (DownloadStream content = client.bags().open(existingChat(), file.id())) {
            Saving.save(content, file.name(), to, output);
        }
    }

    private String existingChat() throws IOException, InterruptedException {
        String existing = chat == null ? client.chats().create(null).id() : chat;
        chat = existing;
        return existing;
    }

    private String watch(RunWatch.Start start) throws IOException, InterruptedException {
        Consumer<Event> name =
                event -> {
                    if (event instanceof Event.Started started) {
                        chat = started.chatId();
                    }
                };
        return new RunWatch(client, output).follow(start, name);
    }
}
