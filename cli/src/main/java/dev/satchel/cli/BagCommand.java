package dev.satchel.cli;

import dev.satchel.cli.common.AttachmentUploader;
import dev.satchel.cli.common.DownloadWriter;
import dev.satchel.cli.common.IdResolver;
import dev.satchel.cli.common.ServerOptions;
import dev.satchel.cli.output.HumanFormat;
import dev.satchel.cli.output.Output;
import dev.satchel.cli.output.Table;
import dev.satchel.client.Bags;
import dev.satchel.client.DownloadStream;
import dev.satchel.client.model.Asset;
import dev.satchel.client.model.FileInfo;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The files of a chat. */
@Command(
        name = "bag",
        mixinStandardHelpOptions = true,
        description = "Lists and changes the files of a chat: uploads, and files from its agent.")
final class BagCommand {
    private static final String CHAT = "CHAT";
    private static final String FILE = "FILE";

    private static final Table<FileInfo> TABLE =
            new Table<FileInfo>()
                    .column("ID", FileInfo::id)
                    .column("SIZE", file -> HumanFormat.size(file.size()))
                    .column("FROM", file -> Objects.requireNonNullElse(file.source(), ""))
                    .column("NAME", FileInfo::name)
                    .column("PATH", FileInfo::shownPath);

    private final ServerOptions server;

    BagCommand(ServerOptions server) {
        this.server = server;
    }

    @Command(description = "Lists the files.")
    int ls(
            @Parameters(paramLabel = CHAT) String chat,
            @Option(names = "--versions", description = "Also list superseded versions")
                    boolean versions)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    String id = IdResolver.chat(client, chat);
                    Bags bags = client.bags();
                    output.list(versions ? bags.versions(id) : bags.list(id), TABLE);
                });
    }

    @Command(
            description =
                    "Downloads a file, by name or id, to this folder, to TO, or with - to standard output.")
    int get(
            @Parameters(paramLabel = CHAT) String chat,
            @Parameters(paramLabel = FILE) String file,
            @Parameters(paramLabel = "TO", arity = "0..1") @Nullable String to)
            throws IOException, InterruptedException {
        return runOnFile(
                chat,
                file,
                (bags, id, found, output) -> {
                    try (DownloadStream content = bags.open(id, found.id())) {
                        DownloadWriter.save(content, found.name(), to, output);
                    }
                });
    }

    @Command(description = "Uploads files, all or none.")
    int put(
            @Parameters(paramLabel = CHAT) String chat,
            @Parameters(paramLabel = FILE, arity = "1..*") List<Path> files)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    String id = IdResolver.chat(client, chat);
                    output.list(new AttachmentUploader(client, output).upload(id, files), TABLE);
                });
    }

    @Command(description = "Downloads all files as a zip archive.")
    int zip(
            @Parameters(paramLabel = CHAT) String chat,
            @Parameters(paramLabel = "TO", arity = "0..1") @Nullable String to)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    String id = IdResolver.chat(client, chat);
                    try (DownloadStream content = client.bags().zip(id)) {
                        DownloadWriter.save(content, "files-" + id + ".zip", to, output);
                    }
                });
    }

    @Command(description = "Deletes a file; its name stays reserved.")
    int rm(@Parameters(paramLabel = CHAT) String chat, @Parameters(paramLabel = FILE) String file)
            throws IOException, InterruptedException {
        return runOnFile(
                chat,
                file,
                (bags, id, found, output) -> {
                    bags.delete(id, found.id());
                    output.value(Map.of("id", found.id(), "deleted", true), found.name());
                });
    }

    @Command(
            description = "Copies a file to the assets, where it is kept when the chat is deleted.")
    int save(@Parameters(paramLabel = CHAT) String chat, @Parameters(paramLabel = FILE) String file)
            throws IOException, InterruptedException {
        return runOnFile(
                chat,
                file,
                (bags, id, found, output) -> {
                    Asset asset = bags.save(id, found.id());
                    output.value(asset, asset.id());
                });
    }

    /** An action on one file of a chat. */
    @FunctionalInterface
    private interface FileTask {
        void run(Bags bags, String chat, FileInfo file, Output output)
                throws IOException, InterruptedException;
    }

    private int runOnFile(String chat, String file, FileTask task)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    String id = IdResolver.chat(client, chat);
                    Bags bags = client.bags();
                    // the newest first, so that a name means the newest version
                    List<FileInfo> newestFirst = bags.versions(id).reversed();
                    task.run(bags, id, IdResolver.file(newestFirst, file), output);
                });
    }
}
