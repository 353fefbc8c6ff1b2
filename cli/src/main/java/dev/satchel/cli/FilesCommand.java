package dev.satchel.cli;

import dev.satchel.cli.common.CliException;
import dev.satchel.cli.common.DownloadWriter;
import dev.satchel.cli.common.ExitCode;
import dev.satchel.cli.common.IdResolver;
import dev.satchel.cli.common.ServerOptions;
import dev.satchel.cli.output.HumanFormat;
import dev.satchel.cli.output.Table;
import dev.satchel.cli.output.TextPrinter;
import dev.satchel.client.ApiException;
import dev.satchel.client.DownloadStream;
import dev.satchel.client.model.Snapshot;
import dev.satchel.client.model.SnapshotDifference;
import dev.satchel.client.model.WorkspaceFile;
import dev.satchel.client.model.WorkspaceListing;
import dev.satchel.client.model.WrittenFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The directory that a chat's agent works in. */
@Command(
        name = "files",
        mixinStandardHelpOptions = true,
        description = "Lists and changes the working directory of a chat's agent.")
final class FilesCommand {
    private static final String AT = "--at";
    private static final String CHAT = "CHAT";
    private static final String SNAPSHOT = "SNAPSHOT";

    private final ServerOptions server;

    FilesCommand(ServerOptions server) {
        this.server = server;
    }

    @Command(description = "Lists the files.")
    int ls(
            @Parameters(paramLabel = CHAT) String chat,
            @Option(names = AT, paramLabel = SNAPSHOT, description = "At this snapshot")
                    @Nullable String at,
            @Option(
                            names = {"--all"},
                            description = "Include hidden files")
                    boolean hidden)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    WorkspaceListing listing =
                            client.workspaces().list(IdResolver.chat(client, chat), at, hidden);
                    output.list(
                            listing.files(),
                            new Table<WorkspaceFile>()
                                    .column("SIZE", file -> HumanFormat.size(file.size()))
                                    .column(
                                            "CHANGED",
                                            file -> HumanFormat.dateTime(file.modifiedAt()))
                                    .column("PATH", WorkspaceFile::path));
                });
    }

    @Command(description = "Downloads a file to this folder, to TO, or with - to standard output.")
    int get(
            @Parameters(paramLabel = CHAT) String chat,
            @Parameters(paramLabel = "PATH") String path,
            @Parameters(paramLabel = "TO", arity = "0..1") @Nullable String to,
            @Option(names = AT, paramLabel = SNAPSHOT) @Nullable String at)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    String id = IdResolver.chat(client, chat);
                    try (DownloadStream content = client.workspaces().open(id, path, at)) {
                        DownloadWriter.save(content, path, to, output);
                    } catch (ApiException e) {
                        if (e.status() == 404) { // its message does not name the file
                            throw new CliException(ExitCode.NOT_FOUND, "no file " + path);
                        }
                        throw e;
                    }
                });
    }

    @Command(
            description =
                    "Prints the text of a file, also of a PDF, an Office file, a book, an e-mail and"
                            + " the like.")
    int text(
            @Parameters(paramLabel = CHAT) String chat,
            @Parameters(paramLabel = "PATH") String path,
            @Option(
                            names = "--page",
                            paramLabel = "N",
                            description = "Only this page, sheet, slide or section")
                    int page,
            @Option(names = AT, paramLabel = SNAPSHOT) @Nullable String at)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    String id = IdResolver.chat(client, chat);
                    TextPrinter.print(path, client.workspaces().text(id, path, at, page), output);
                });
    }

    @Command(description = "Uploads a file, under its own name or as PATH.")
    int put(
            @Parameters(paramLabel = CHAT) String chat,
            @Parameters(paramLabel = "FILE") Path file,
            @Parameters(paramLabel = "PATH", arity = "0..1") @Nullable String path)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    String name = path == null ? String.valueOf(file.getFileName()) : path;
                    WrittenFile written =
                            client.workspaces().put(IdResolver.chat(client, chat), file, name);
                    if (!written.written()) {
                        throw new CliException(ExitCode.FAILED, name + ": " + written.error());
                    }
                    output.value(written, written.path());
                });
    }

    @Command(description = "Deletes a file.")
    int rm(@Parameters(paramLabel = CHAT) String chat, @Parameters(paramLabel = "PATH") String path)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    client.workspaces().delete(IdResolver.chat(client, chat), path);
                    output.value(Map.of("path", path, "deleted", true), path);
                });
    }

    @Command(
            description =
                    "Continues from the last saved files, when the newest are not saved and on a"
                            + " server that is away. The newest are given up for good.")
    int restore(@Parameters(paramLabel = CHAT) String chat)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    boolean restored = client.workspaces().restore(IdResolver.chat(client, chat));
                    output.value(
                            Map.of("restored", restored),
                            restored
                                    ? "The chat continues from its last saved files."
                                    : "The newest files are saved, nothing was changed.");
                });
    }

    @Command(description = "Downloads the directory as an archive.")
    int zip(
            @Parameters(paramLabel = CHAT) String chat,
            @Parameters(paramLabel = "TO", arity = "0..1") @Nullable String to,
            @Option(names = AT, paramLabel = SNAPSHOT) @Nullable String at,
            @Option(names = "--format", defaultValue = "zip", description = "zip or tar.gz")
                    String format,
            @Option(names = "--all", description = "Include hidden files") boolean hidden)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    String id = IdResolver.chat(client, chat);
                    try (DownloadStream content =
                            client.workspaces().archive(id, format, at, hidden)) {
                        DownloadWriter.save(content, "workspace-" + id + "." + format, to, output);
                    }
                });
    }

    @Command(description = "Lists the snapshots, one after each turn, the newest first.")
    int snapshots(@Parameters(paramLabel = CHAT) String chat)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    output.list(
                            client.workspaces().snapshots(IdResolver.chat(client, chat)),
                            new Table<Snapshot>()
                                    .column("ID", Snapshot::id)
                                    .column(
                                            "TAKEN",
                                            snapshot -> HumanFormat.dateTime(snapshot.createdAt()))
                                    .column("FILES", snapshot -> Long.toString(snapshot.files()))
                                    .column(
                                            "SIZE",
                                            snapshot -> HumanFormat.size(snapshot.bytes())));
                });
    }

    @Command(description = "Lists what the last turn changed, or what changed since a snapshot.")
    int diff(
            @Parameters(paramLabel = CHAT) String chat,
            @Option(names = "--from", paramLabel = SNAPSHOT, description = "The earlier snapshot")
                    @Nullable String from,
            @Option(names = "--to", paramLabel = SNAPSHOT, description = "The later snapshot")
                    @Nullable String to)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    String id = IdResolver.chat(client, chat);
                    String earlier =
                            from == null ? secondNewest(client.workspaces().snapshots(id)) : from;
                    SnapshotDifference difference = client.workspaces().difference(id, earlier, to);
                    if (output.isJson()) {
                        output.json(difference);
                        return;
                    }
                    difference.added().forEach(path -> output.out().println("+ " + path));
                    difference.removed().forEach(path -> output.out().println("- " + path));
                    difference.changed().forEach(path -> output.out().println("~ " + path));
                });
    }

    private static String secondNewest(List<Snapshot> snapshots) {
        if (snapshots.size() < 2) {
            throw new CliException(
                    ExitCode.NOT_FOUND, "this chat has fewer than two snapshots to compare");
        }
        return snapshots.get(1).id();
    }
}
