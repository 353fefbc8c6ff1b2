package dev.satchel.cli;

import dev.satchel.cli.common.IdResolver;
import dev.satchel.cli.common.ServerOptions;
import dev.satchel.cli.output.HumanFormat;
import dev.satchel.cli.output.MessagePrinter;
import dev.satchel.cli.output.Table;
import dev.satchel.client.model.Chat;
import dev.satchel.client.model.ChatThread;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The chats of a tenant. */
@Command(
        name = "chats",
        mixinStandardHelpOptions = true,
        description = "Lists and changes chats, the newest first.")
final class ChatsCommand implements Callable<Integer> {
    private static final String CHAT = "CHAT";
    private static final int LISTED = 20;

    private final ServerOptions server;

    ChatsCommand(ServerOptions server) {
        this.server = server;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        return ls(LISTED);
    }

    @Command(description = "Lists chats, the newest first.")
    int ls(
            @Option(
                            names = "--limit",
                            paramLabel = "N",
                            defaultValue = "20",
                            description = ServerOptions.LIMIT)
                    int limit)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    output.list(
                            client.chats().list(limit, null).chats(),
                            new Table<Chat>()
                                    .column("ID", Chat::id)
                                    .column(
                                            "CHANGED",
                                            chat -> HumanFormat.dateTime(chat.updatedAt()))
                                    .column("MESSAGES", chat -> Long.toString(chat.messageCount()))
                                    .column("STATE", chat -> chat.isBusy() ? "running" : "idle")
                                    .column("TITLE", ChatsCommand::title));
                });
    }

    @Command(description = "Prints the messages of a chat, oldest first.")
    int show(
            @Parameters(paramLabel = CHAT) String chat,
            @Option(
                            names = "--limit",
                            paramLabel = "N",
                            defaultValue = "50",
                            description = ServerOptions.LIMIT)
                    int limit)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    ChatThread thread =
                            client.chats().read(IdResolver.chat(client, chat), limit, null);
                    if (output.isJson()) {
                        output.json(thread);
                        return;
                    }
                    thread.messages().forEach(message -> MessagePrinter.print(message, output));
                });
    }

    @Command(name = "new", description = "Creates an empty chat and prints its id.")
    int create(@Parameters(paramLabel = "TITLE", arity = "0..1") @Nullable String title)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    Chat chat = client.chats().create(title);
                    output.value(chat, chat.id());
                });
    }

    @Command(description = "Changes the title of a chat.")
    int rename(
            @Parameters(paramLabel = CHAT) String chat,
            @Parameters(paramLabel = "TITLE") String title)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    Chat renamed = client.chats().rename(IdResolver.chat(client, chat), title);
                    output.value(renamed, renamed.id());
                });
    }

    @Command(description = "Cancels the running turn.")
    int cancel(@Parameters(paramLabel = CHAT) String chat)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    boolean cancelled = client.chats().cancel(IdResolver.chat(client, chat));
                    output.value(
                            Map.of("cancelled", cancelled),
                            cancelled ? "cancelled" : "nothing was running");
                });
    }

    @Command(description = "Deletes a chat with its files; restore undoes it.")
    int rm(@Parameters(paramLabel = CHAT) String chat) throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    String id = IdResolver.chat(client, chat);
                    client.chats().delete(id);
                    output.value(Map.of("id", id, "deleted", true), id);
                });
    }

    @Command(description = "Restores a deleted chat.")
    int restore(@Parameters(paramLabel = CHAT, description = "Complete id") String chat)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    Chat restored = client.chats().restore(chat);
                    output.value(restored, restored.id());
                });
    }

    private static String title(Chat chat) {
        return HumanFormat.abbreviate(Objects.requireNonNullElse(chat.title(), ""), 50);
    }
}
