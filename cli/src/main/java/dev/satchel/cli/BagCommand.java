package dev.satchel.cli;

import dev.satchel.client.Asset;
import dev.satchel.client.Bags;
import dev.satchel.client.DownloadStream;
import dev.satchel.client.FileInfo;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The files of a chat. */
@Command(
        name = "bag",
        mixinStandardHelpOptions = true,
        description = "The files of a chat: put in by you, or handed back by its agent.")
final class BagCommand {
    private static final String CHAT = "CHAT";
    private static final String FILE = "FILE";

    private static final Table<FileInfo> TABLE =
            new Table<FileInfo>()
                    .column("ID", FileInfo::id)
                    .column("SIZE", file -> Words.size(file.size()))
                    .column("FROM", file -> Objects.requireNonNullElse(file.source(), ""))
                    .column("NAME", FileInfo::name);

    private final ServerOptions server;

    BagCommand(ServerOptions server) {
        this.server = server;
    }

    @Command(description = "Lists the files.")
    int ls(@Parameters(paramLabel = CHAT) String chat) throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    output.list(client.bags().list(Ids.chat(client, chat)), TABLE);
                });
    }

    @Command(description = "Saves a file, by its name or id, here, as TO, or with - on stdout.")
    int get(
            @Parameters(paramLabel = CHAT) String chat,
            @Parameters(paramLabel = FILE) String file,
            @Parameters(paramLabel = "TO", arity = "0..1") @Nullable String to)
            throws IOException, InterruptedException {
        return on(
                chat,
                file,
                (bags, id, found, output) -> {
                    try (DownloadStream content = bags.open(id, found.id())) {
                        Saving.save(content, found.name(), to, output);
                    }
                });
    }

    @Command(description = "Puts files in, all or none.")
    int put(
            @Parameters(paramLabel = CHAT) String chat,
            @Parameters(paramLabel = FILE, arity = "1..*") List<Path> files)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    String id = Ids.chat(client, chat);
                    output.list(new Attachments(client, output).put(id, files), TABLE);
                });
    }

    @Command(description = "Saves every file as one zip.")
    int zip(
            @Parameters(paramLabel = CHAT) String chat,
            @Parameters(paramLabel = "TO", arity = "0..1") @Nullable String to)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    String id = Ids.chat(client, chat);
                    try (DownloadStream content = client.bags().zip(id)) {
                        Saving.save(content, "files-" + id + ".zip", to, output);
                    }
                });
    }

    @Command(description = "Deletes a file; its name stays taken.")
    int rm(@Parameters(paramLabel = CHAT) String chat, @Parameters(paramLabel = FILE) String file)
            throws IOException, InterruptedException {
        return on(
                chat,
                file,
                (bags, id, found, output) -> {
                    bags.delete(id, found.id());
                    output.value(Map.of("id", found.id(), "deleted", true), found.name());
                });
    }

    @Command(description = "Keeps a copy as an asset, which outlives the chat.")
    int save(@Parameters(paramLabel = CHAT) String chat, @Parameters(paramLabel = FILE) String file)
            throws IOException, InterruptedException {
        return on(
                chat,
                file,
                (bags, id, found, output) -> {
                    Asset asset = bags.save(id, found.id());
                    output.value(asset, asset.id());
                });
    }

    /** What is done to one file of a chat. */
    @FunctionalInterface
    private interface FileTask {
        void run(Bags bags, String chat, FileInfo file, Output output)
                throws IOException, InterruptedException;
    }

    private int on(String chat, String file, FileTask task)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    String id = Ids.chat(client, chat);
                    Bags bags = client.bags();
                    task.run(bags, id, Ids.file(bags.list(id), file), output);
                });
    }
}
