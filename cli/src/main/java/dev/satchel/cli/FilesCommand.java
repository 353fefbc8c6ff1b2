package dev.satchel.cli;

import dev.satchel.client.ApiException;
import dev.satchel.client.DownloadStream;
import dev.satchel.client.Snapshot;
import dev.satchel.client.SnapshotDifference;
import dev.satchel.client.WorkspaceFile;
import dev.satchel.client.WorkspaceListing;
import dev.satchel.client.WrittenFile;
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
        description = "Looks into the directory that a chat's agent works in.")
final class FilesCommand {
    private static final String AT = "--at";
    private static final String CHAT = "CHAT";
    private static final String SNAPSHOT = "SNAPSHOT";

    private final ServerOptions server;

    FilesCommand(ServerOptions server) {
        this.server = server;
    }

    @Command(description = "Lists its files.")
    int ls(
            @Parameters(paramLabel = CHAT) String chat,
            @Option(names = AT, paramLabel = SNAPSHOT, description = "As it was then")
                    @Nullable String at,
            @Option(
                            names = {"--all"},
                            description = "Hidden files too")
                    boolean hidden)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    WorkspaceListing listing =
                            client.workspaces().list(Ids.chat(client, chat), at, hidden);
                    output.list(
                            listing.files(),
                            new Table<WorkspaceFile>()
                                    .column("SIZE", file -> Words.size(file.size()))
                                    .column("CHANGED", file -> Words.moment(file.modifiedAt()))
                                    .column("PATH", WorkspaceFile::path));
                });
    }

    @Command(description = "Saves one file here, as TO, or with - on standard output.")
    int get(
            @Parameters(paramLabel = CHAT) String chat,
            @Parameters(paramLabel = "PATH") String path,
            @Parameters(paramLabel = "TO", arity = "0..1") @Nullable String to,
            @Option(names = AT, paramLabel = SNAPSHOT) @Nullable String at)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    String id = Ids.chat(client, chat);
                    try (DownloadStream content = client.workspaces().open(id, path, at)) {
                        Saving.save(content, path, to, output);
                    } catch (ApiException e) {
                        if (e.status() == 404) { // which does not say what
                            throw new CliException(ExitCode.NOT_FOUND, "no file " + path);
                        }
                        throw e;
                    }
                });
    }

    @Command(description = "Puts a file there, under its own name or a path.")
    int put(
            @Parameters(paramLabel = CHAT) String chat,
            @Parameters(paramLabel = "FILE") Path file,
            @Parameters(paramLabel = "PATH", arity = "0..1") @Nullable String path)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    String name = path == null ? String.valueOf(file.getFileName()) : path;
                    WrittenFile written =
                            client.workspaces().put(Ids.chat(client, chat), file, name);
                    if (!written.written()) {
                        throw new CliException(ExitCode.FAILED, name + ": " + written.error());
                    }
                    output.value(written, written.path());
                });
    }

    @Command(description = "Deletes a file there.")
    int rm(@Parameters(paramLabel = CHAT) String chat, @Parameters(paramLabel = "PATH") String path)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    client.workspaces().delete(Ids.chat(client, chat), path);
                    output.value(Map.of("path", path, "deleted", true), path);
                });
    }

    @Command(description = "Saves all of it as one archive.")
    int zip(
            @Parameters(paramLabel = CHAT) String chat,
            @Parameters(paramLabel = "TO", arity = "0..1") @Nullable String to,
            @Option(names = AT, paramLabel = SNAPSHOT) @Nullable String at,
            @Option(names = "--format", defaultValue = "zip", description = "zip or tar.gz")
                    String format,
            @Option(names = "--all", description = "Hidden files too") boolean hidden)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    String id = Ids.chat(client, chat);
                    try (DownloadStream content = client.workspaces().archive(id, format, at, hidden)) {
                        Saving.save(content, "workspace-" + id + "." + format, to, output);
                    }
                });
    }

    @Command(description = "Lists how it was after each turn, the newest first.")
    int snapshots(@Parameters(paramLabel = CHAT) String chat)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    output.list(
                            client.workspaces().snapshots(Ids.chat(client, chat)),
                            new Table<Snapshot>()
                                    .column("ID", Snapshot::id)
                                    .column("TAKEN", snapshot -> Words.moment(snapshot.createdAt()))
                                    .column("FILES", snapshot -> Long.toString(snapshot.files()))
                                    .column("SIZE", snapshot -> Words.size(snapshot.bytes())));
                });
    }

    @Command(description = "What the last turn changed, or what changed since a snapshot.")
    int diff(
            @Parameters(paramLabel = CHAT) String chat,
            @Option(names = "--from", paramLabel = SNAPSHOT, description = "The earlier one")
                    @Nullable String from,
            @Option(names = "--to", paramLabel = SNAPSHOT, description = "The later one")
                    @Nullable String to)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    String id = Ids.chat(client, chat);
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
                    ExitCode.NOT_FOUND, "there are no two snapshots to compare in this chat");
        }
        return snapshots.get(1).id();
    }
}
