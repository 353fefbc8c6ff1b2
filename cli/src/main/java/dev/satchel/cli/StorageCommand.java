package dev.satchel.cli;

import dev.satchel.cli.common.ServerOptions;
import dev.satchel.cli.output.HumanFormat;
import dev.satchel.cli.output.Table;
import dev.satchel.client.model.Storage;
import dev.satchel.client.model.Storage.ChatUse;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Disk usage of a tenant. */
@Command(
        name = "storage",
        mixinStandardHelpOptions = true,
        description = "Prints the disk usage by kind, and the largest chats.")
final class StorageCommand implements Callable<Integer> {
    private final ServerOptions server;

    @Option(
            names = "--limit",
            paramLabel = "N",
            description = "Number of chats to list",
            defaultValue = "10")
    private int limit = 10;

    StorageCommand(ServerOptions server) {
        this.server = server;
    }

    private record Kind(String name, Storage.Use use) {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    Storage storage = client.storage(limit);
                    if (output.isJson()) {
                        output.json(storage);
                        return;
                    }
                    output.list(
                            kinds(storage),
                            new Table<Kind>()
                                    .column("KIND", Kind::name)
                                    .column("COUNT", kind -> Long.toString(kind.use().count()))
                                    .column("SIZE", kind -> HumanFormat.size(kind.use().bytes())));
                    output.out().println("total " + HumanFormat.size(storage.bytes()) + "\n");
                    output.list(
                            storage.chats(),
                            new Table<ChatUse>()
                                    .column("CHAT", ChatUse::id)
                                    .column("SIZE", chat -> HumanFormat.size(chat.bytes()))
                                    .column("TITLE", StorageCommand::title));
                });
    }

    private static List<Kind> kinds(Storage storage) {
        return List.of(
                new Kind("chat files", storage.files()),
                new Kind("deleted files", storage.deletedFiles()),
                new Kind("run files", storage.runFiles()),
                new Kind("snapshots", storage.snapshots()),
                new Kind("assets", storage.assets()),
                new Kind("uploads", storage.uploads()),
                new Kind("staged assets", storage.staged()),
                new Kind(
                        "document texts",
                        Objects.requireNonNullElse(storage.texts(), new Storage.Use(0, 0))));
    }

    private static String title(ChatUse chat) {
        String title = HumanFormat.abbreviate(Objects.requireNonNullElse(chat.title(), ""), 50);
        return chat.deleted() ? title + " (deleted)" : title;
    }
}
