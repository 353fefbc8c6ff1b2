package dev.satchel.cli;

import dev.satchel.cli.common.CliException;
import dev.satchel.cli.common.DownloadWriter;
import dev.satchel.cli.common.ExitCode;
import dev.satchel.cli.common.IdResolver;
import dev.satchel.cli.common.ServerOptions;
import dev.satchel.cli.output.HumanFormat;
import dev.satchel.cli.output.Output;
import dev.satchel.cli.output.Table;
import dev.satchel.cli.output.TextPrinter;
import dev.satchel.client.ApiException;
import dev.satchel.client.DownloadStream;
import dev.satchel.client.SatchelClient;
import dev.satchel.client.model.FileDifference;
import dev.satchel.client.model.RestoredSnapshot;
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
            description = {
                "Goes back to SNAPSHOT, with all files or only PATHs. What is there now is kept as a"
                        + " snapshot, whose id is printed.",
                "Without SNAPSHOT: continues from the last saved files, when the newest are not"
                        + " saved and on a server that is away. The newest are given up for good."
            })
    int restore(
            @Parameters(paramLabel = CHAT) String chat,
            @Parameters(paramLabel = SNAPSHOT, arity = "0..1", index = "1")
                    @Nullable String snapshot,
            @Parameters(paramLabel = "PATH", arity = "0..*", index = "2..*")
                    @Nullable List<String> paths,
            @Option(names = "--dry-run", description = "Only list what would change")
                    boolean dryRun)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    String id = IdResolver.chat(client, chat);
                    if (snapshot == null) {
                        giveUpUnsaved(client, output, id);
                        return;
                    }
                    List<String> wanted = paths == null ? List.of() : paths;
                    RestoredSnapshot restored =
                            client.workspaces().restore(id, snapshot, wanted, dryRun);
                    if (output.isJson()) {
                        output.json(restored);
                        return;
                    }
                    print(output, restored.added(), restored.removed(), restored.changed());
                    long more = unlisted(restored);
                    if (more > 0) {
                        output.out().println("and " + more + " more");
                    }
                    if (restored.undo() != null) {
                        output.out().println("undo with the snapshot " + restored.undo());
                    }
                });
    }

    private static void giveUpUnsaved(SatchelClient client, Output output, String chat)
            throws IOException, InterruptedException {
        boolean restored = client.workspaces().restore(chat);
        output.value(
                Map.of("restored", restored),
                restored
                        ? "The chat continues from its last saved files."
                        : "The newest files are saved, nothing was changed.");
    }

    private static void print(
            Output output, List<String> added, List<String> removed, List<String> changed) {
        added.forEach(path -> output.out().println("+ " + path));
        removed.forEach(path -> output.out().println("- " + path));
        changed.forEach(path -> output.out().println("~ " + path));
    }

    private static long unlisted(RestoredSnapshot restored) {
        return restored.addedCount()
                + restored.removedCount()
                + restored.changedCount()
                - restored.added().size()
                - restored.removed().size()
                - restored.changed().size();
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

    @Command(
            description =
                    "Lists what the last turn changed, or what changed since a snapshot; of PATH it"
                            + " prints the text that differs.")
    int diff(
            @Parameters(paramLabel = CHAT) String chat,
            @Parameters(paramLabel = "PATH", arity = "0..1") @Nullable String path,
            @Option(names = "--from", paramLabel = SNAPSHOT, description = "The earlier snapshot")
                    @Nullable String from,
            @Option(
                            names = "--to",
                            paramLabel = SNAPSHOT,
                            description = "The later snapshot, or live")
                    @Nullable String to)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    String id = IdResolver.chat(client, chat);
                    String earlier =
                            from == null ? secondNewest(client.workspaces().snapshots(id)) : from;
                    if (path != null) {
                        print(output, client.workspaces().difference(id, earlier, to, path));
                        return;
                    }
                    SnapshotDifference difference = client.workspaces().difference(id, earlier, to);
                    if (output.isJson()) {
                        output.json(difference);
                        return;
                    }
                    print(output, difference.added(), difference.removed(), difference.changed());
                });
    }

    private static void print(Output output, FileDifference difference) {
        if (output.isJson()) {
            output.json(difference);
            return;
        }
        if (difference.diff() == null) {
            String reason = difference.binary() ? "no text" : "too large to compare";
            output.out().println(difference.path() + ": " + difference.status() + ", " + reason);
            return;
        }
        output.out().print(difference.diff());
    }

    private static String secondNewest(List<Snapshot> snapshots) {
        if (snapshots.size() < 2) {
            throw new CliException(
                    ExitCode.NOT_FOUND, "this chat has fewer than two snapshots to compare");
        }
        return snapshots.get(1).id();
    }
}
