package dev.satchel.cli;

import dev.satchel.cli.common.IdResolver;
import dev.satchel.cli.common.ServerOptions;
import dev.satchel.cli.output.HumanFormat;
import dev.satchel.cli.output.Table;
import dev.satchel.client.model.MessageQueue;
import dev.satchel.client.model.QueuedMessage;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The messages of a chat that wait for their turn. */
@Command(
        name = "queue",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Lists and changes the messages of a chat that wait for their turn.")
final class QueueCommand {
    private static final String CHAT = "CHAT";
    private static final String MESSAGE = "MESSAGE";

    private final ServerOptions server;

    QueueCommand(ServerOptions server) {
        this.server = server;
    }

    @Command(description = "Lists the messages in the order of their turns.")
    int ls(@Parameters(paramLabel = CHAT) String chat) throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    MessageQueue queue = client.queues().list(IdResolver.chat(client, chat));
                    output.list(
                            queue.messages(),
                            new Table<QueuedMessage>()
                                    .column("ID", QueuedMessage::messageId)
                                    .column(
                                            "SENT",
                                            message -> HumanFormat.dateTime(message.createdAt()))
                                    .column("TEXT", QueueCommand::text)
                                    .column(
                                            "PROBLEM",
                                            message ->
                                                    Objects.requireNonNullElse(
                                                            message.problem(), "")));
                    if (queue.paused()) {
                        output.note("The queue is paused: satchel queue resume " + chat);
                    }
                });
    }

    @Command(description = "Changes the text of a message.")
    int edit(
            @Parameters(paramLabel = CHAT) String chat,
            @Parameters(paramLabel = MESSAGE) String message,
            @Parameters(paramLabel = "TEXT", description = "- reads standard input") String text)
            throws IOException, InterruptedException {
        String changed = ArgumentReader.readText(text);
        return server.perform(
                (client, output) -> {
                    String id = IdResolver.chat(client, chat);
                    MessageQueue queue = client.queues().edit(id, message, changed);
                    output.value(queue, message);
                });
    }

    @Command(description = "Lets the running agent hear a message before its next model call.")
    int steer(
            @Parameters(paramLabel = CHAT) String chat,
            @Parameters(paramLabel = MESSAGE) String message)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    String id = IdResolver.chat(client, chat);
                    output.value(client.queues().steer(id, message), message);
                });
    }

    @Command(description = "Removes a message.")
    int rm(
            @Parameters(paramLabel = CHAT) String chat,
            @Parameters(paramLabel = MESSAGE) String message)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    client.queues().remove(IdResolver.chat(client, chat), message);
                    output.value(Map.of("messageId", message, "removed", true), message);
                });
    }

    @Command(description = "Lets a queue go on after a cancelled turn.")
    int resume(@Parameters(paramLabel = CHAT) String chat)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    String id = IdResolver.chat(client, chat);
                    output.value(client.queues().resume(id), id);
                });
    }

    private static String text(QueuedMessage message) {
        return HumanFormat.abbreviate(message.message(), 50);
    }
}
