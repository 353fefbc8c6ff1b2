package dev.satchel.cli;

import dev.satchel.cli.common.AttachmentUploader;
import dev.satchel.cli.common.CliException;
import dev.satchel.cli.common.DownloadWriter;
import dev.satchel.cli.common.ExitCode;
import dev.satchel.cli.common.IdResolver;
import dev.satchel.cli.common.RunFollower;
import dev.satchel.cli.common.ServerOptions;
import dev.satchel.cli.output.Output;
import dev.satchel.client.DownloadStream;
import dev.satchel.client.RunEvents;
import dev.satchel.client.SatchelClient;
import dev.satchel.client.SentMessage;
import dev.satchel.client.model.Event;
import dev.satchel.client.model.FileInfo;
import dev.satchel.client.model.TurnRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Sends one message and prints its answer. */
@Command(
        name = "send",
        mixinStandardHelpOptions = true,
        description = "Sends a message and prints the answer; steps go to standard error.")
final class SendCommand implements Callable<Integer> {
    private final ServerOptions server;

    @Parameters(
            paramLabel = "MESSAGE",
            arity = "0..1",
            description = "The message; - reads standard input; not needed with --attach")
    private String message = "";

    @Option(
            names = {"-c", "--chat"},
            paramLabel = "CHAT",
            description = "Continue this chat (an id, its beginning, or last); default: a new chat")
    private @Nullable String chat;

    @Option(
            names = {"-a", "--attach"},
            paramLabel = "FILE",
            description = "File for the agent; may be repeated")
    private List<Path> files = new ArrayList<>();

    @Option(
            names = "--files-to",
            paramLabel = "FOLDER",
            description = "Save the files of the answer in this folder")
    private @Nullable Path filesTo;

    @Option(
            names = {"-m", "--model"},
            paramLabel = "MODEL",
            description = "Id of the model that answers, as satchel models lists them")
    private @Nullable String model;

    @Option(
            names = "--agent",
            paramLabel = "AGENT",
            description = "Agent that answers from now on: its name or id, or default")
    private @Nullable String agent;

    @Option(
            names = "--queue",
            description = "Queue the message if a turn of the chat is running, and do not wait")
    private boolean isQueued;

    @Option(names = "--detach", description = "Print the id of the run and do not wait for it")
    private boolean isDetached;

    SendCommand(ServerOptions server) {
        this.server = server;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        String text = ArgumentReader.readText(message);
        if (text.isBlank() && files.isEmpty()) {
            throw new CliException(ExitCode.WRONG_USE, "a message is missing");
        }
        return server.run((client, output) -> send(client, output, text));
    }

    private int send(SatchelClient client, Output output, String text)
            throws IOException, InterruptedException {
        TurnRequest turn = TurnRequest.of(text).withModel(model).withAgent(agentId(client));
        if (chat != null) {
            turn = turn.in(IdResolver.chat(client, chat));
        }
        if (!files.isEmpty()) {
            AttachmentUploader uploader = new AttachmentUploader(client, output);
            uploader.check(files);
            String target =
                    turn.chatId() == null ? client.chats().create(null).id() : turn.chatId();
            List<FileInfo> stored = uploader.upload(target, files);
            turn = turn.in(target).with(stored.stream().map(FileInfo::id).toList());
        }
        if (isQueued) {
            return queue(client, output, turn);
        }
        TurnRequest sent = turn;
        return isDetached
                ? detach(client, output, turn)
                : follow(client, output, turn, () -> client.chats().send(sent));
    }

    private @Nullable String agentId(SatchelClient client)
            throws IOException, InterruptedException {
        return agent == null || agent.equals("default")
                ? agent
                : IdResolver.agent(client, agent).id();
    }

    private int queue(SatchelClient client, Output output, TurnRequest turn)
            throws IOException, InterruptedException {
        return switch (client.chats().sendOrQueue(turn)) {
            case SentMessage.Started started -> follow(client, output, turn, started::events);
            case SentMessage.Queued queued -> {
                output.value(queued, queued.messageId());
                yield ExitCode.DONE;
            }
        };
    }

    private int follow(
            SatchelClient client, Output output, TurnRequest turn, RunFollower.EventSource source)
            throws IOException, InterruptedException {
        Answer answer = new Answer();
        String status = new RunFollower(client, output).follow(source, answer);
        if (turn.chatId() == null && !output.isJson()) {
            output.note("chat " + answer.chat);
        }
        if (filesTo != null) {
            for (FileInfo file : answer.files) {
                try (DownloadStream content = client.bags().open(answer.chat, file.id())) {
                    DownloadWriter.saveInto(filesTo, file, content, output);
                }
            }
        }
        return ExitCode.ofEnd(status);
    }

    private static int detach(SatchelClient client, Output output, TurnRequest turn)
            throws IOException, InterruptedException {
        try (RunEvents events = client.chats().send(turn)) {
            Event first = events.next().orElseThrow();
            String run = first instanceof Event.Started started ? started.runId() : "";
            output.event(events.json(), run);
            return ExitCode.DONE;
        }
    }

    /** Collects the chat id and the files of the answer from the events. */
    private static final class Answer implements Consumer<Event> {
        private String chat = "";
        private List<FileInfo> files = List.of();

        @Override
        public void accept(Event event) {
            if (event instanceof Event.Started started) {
                chat = started.chatId();
            } else if (event instanceof Event.Result result) {
                files = result.files();
            }
        }
    }
}
