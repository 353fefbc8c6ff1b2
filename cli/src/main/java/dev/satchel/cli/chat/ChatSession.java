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
import dev.satchel.client.model.Agent;
import dev.satchel.client.model.Chat;
import dev.satchel.client.model.ChatThread;
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
    private final UnseenTurns unseen;
    private final List<FileInfo> attached = new ArrayList<>();
    private ChosenAgent chosen;
    private @Nullable String chat;
    private @Nullable String run;
    private @Nullable String message; // of the person, which the run answers
    private @Nullable String seen; // the last message whose turn is printed to its end

    ChatSession(
            SatchelClient client,
            Output output,
            TypedMessages.Source typed,
            AskPrompt asks,
            @Nullable String chat,
            ChosenAgent chosen) {
        this.client = client;
        this.output = output;
        this.typed = typed;
        this.asks = asks;
        this.unseen = new UnseenTurns(client);
        this.chat = chat;
        this.chosen = chosen;
    }

    Optional<String> chat() {
        return Optional.ofNullable(chat);
    }

    /** Lets an agent answer from the next message on, or the default one. */
    String chooseAgent(String given) throws IOException, InterruptedException {
        if (given.equals(ChosenAgent.DEFAULT)) {
            chosen = chosen.with(ChosenAgent.DEFAULT);
            return "The default agent";
        }
        Agent agent = IdResolver.agent(client, given);
        chosen = chosen.with(agent.id());
        return "The agent " + agent.name();
    }

    /** The name of the agent that answers the next message; empty for the default one. */
    Optional<String> agentName() throws IOException, InterruptedException {
        String id = chosen.agentId();
        if (id == null && chat != null) {
            ChatThread.AnsweringAgent answering = client.chats().read(chat, 1, null).agent();
            return Optional.ofNullable(answering).map(ChatThread.AnsweringAgent::name);
        }
        return id == null || id.equals(ChosenAgent.DEFAULT)
                ? Optional.empty()
                : Optional.of(client.agents().read(id).name());
    }

    void startNew() {
        chat = null;
        seen = null;
        attached.clear();
    }

    /** Prints the newest messages of the chat, and the run in progress, if there is one. */
    void open(int shown) throws IOException, InterruptedException {
        if (chat == null) {
            return;
        }
        ChatThread thread = client.chats().read(chat, shown, null);
        List<Message> messages = thread.messages();
        messages.forEach(this::print);
        Chat.ActiveRun active = thread.activeRun();
        int answered = active == null ? messages.size() : messages.size() - 1;
        seen = answered > 0 ? messages.get(answered - 1).id() : null;
        if (active != null) {
            String running = active.id();
            if (isWaiting(follow(() -> client.runs().events(running)))) {
                return;
            }
        }
        Optional<String> _ = followQueued();
    }

    /**
     * Sends a message, prints the answer and those to the messages that wait meanwhile, and returns
     * the final status of the last run.
     */
    String send(TurnRequest message) throws IOException, InterruptedException {
        followEnded();
        TurnRequest turn = chosen.in(message).with(attached.stream().map(FileInfo::id).toList());
        TurnRequest located = chat == null ? turn : turn.in(chat);
        SentMessage sent = client.chats().sendOrQueue(located);
        attached.clear();
        return switch (sent) {
            case SentMessage.Started started -> {
                String status = follow(started::events);
                yield isWaiting(status) ? status : followQueued().orElse(status);
            }
            case SentMessage.Queued queued -> {
                output.note(TypedMessages.note(located, queued));
                yield followQueued().orElse("waiting");
            }
        };
    }

    /** Prints the turns that were taken elsewhere since the last one. */
    private void followEnded() throws IOException, InterruptedException {
        if (chat != null) {
            for (UnseenTurns.Turn turn : unseen.after(seen, chat)) {
                if (turn.isEnded()) {
                    String _ = follow(turn);
                }
            }
        }
    }

    /**
     * Prints each turn that is not printed yet, until no message is left whose turn can start; the
     * final status of the last run.
     */
    private Optional<String> followQueued() throws IOException, InterruptedException {
        Optional<String> status = Optional.empty();
        for (List<UnseenTurns.Turn> turns = next(); !turns.isEmpty(); turns = next()) {
            for (UnseenTurns.Turn turn : turns) {
                status = Optional.of(follow(turn));
                if (isWaiting(status.get())) {
                    return status;
                }
            }
        }
        noteWaiting();
        return status;
    }

    /** Between two turns the server starts the next one when it is asked for its events. */
    private List<UnseenTurns.Turn> next() throws IOException, InterruptedException {
        if (chat == null) {
            return List.of();
        }
        Optional<RunEvents> running = client.chats().follow(chat);
        if (running.isPresent()) {
            running.get().close();
        }
        return unseen.after(seen, chat);
    }

    private void print(Message message) {
        if (!output.isJson()) {
            MessagePrinter.print(message, output);
        }
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

    private String follow(UnseenTurns.Turn turn) throws IOException, InterruptedException {
        print(turn.message());
        message = turn.message().id();
        return follow(() -> client.runs().events(turn.run()));
    }

    /** Prints a run to its end; what it asks meanwhile is answered at the prompt. */
    private String follow(RunFollower.EventSource source) throws IOException, InterruptedException {
        RunFollower follower = new RunFollower(client, output);
        String status = print(follower, source);
        while (isWaiting(status) && run != null) {
            Optional<RunEvents> more = asks.answer(run);
            if (more.isEmpty()) {
                return status;
            }
            status = print(follower, more::get);
        }
        if (!isWaiting(status)) {
            seen = message;
        }
        return status;
    }

    private String print(RunFollower follower, RunFollower.EventSource source)
            throws IOException, InterruptedException {
        try (TypedMessages messages = new TypedMessages(client, output, typed, chosen)) {
            Consumer<Event> listener =
                    event -> {
                        if (event instanceof Event.Started started) {
                            chat = started.chatId();
                            run = started.runId();
                            message = started.messageId();
                            messages.begin(started.chatId());
                        }
                    };
            return follower.follow(source, listener);
        }
    }
}
