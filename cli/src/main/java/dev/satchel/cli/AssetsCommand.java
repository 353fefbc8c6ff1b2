package dev.satchel.cli;

import dev.satchel.cli.common.AttachmentUploader;
import dev.satchel.cli.common.DownloadWriter;
import dev.satchel.cli.common.IdResolver;
import dev.satchel.cli.common.ServerOptions;
import dev.satchel.cli.output.HumanFormat;
import dev.satchel.cli.output.Table;
import dev.satchel.cli.output.TransferProgress;
import dev.satchel.client.DownloadStream;
import dev.satchel.client.model.Asset;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The tenant's durable files. */
@Command(
        name = "assets",
        mixinStandardHelpOptions = true,
        description = "Lists and changes assets: files that are kept when chats are deleted.")
final class AssetsCommand implements Callable<Integer> {
    private static final String ASSET = "ASSET";
    private static final int LISTED = 50;

    private static final Table<Asset> TABLE =
            new Table<Asset>()
                    .column("ID", Asset::id)
                    .column("SIZE", asset -> HumanFormat.size(asset.size()))
                    .column("CREATED", asset -> HumanFormat.dateTime(asset.createdAt()))
                    .column("NAME", Asset::name);

    private final ServerOptions server;

    AssetsCommand(ServerOptions server) {
        this.server = server;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        return ls("", LISTED);
    }

    @Command(description = "Lists assets, the newest first.")
    int ls(
            @Option(names = "--search", defaultValue = "", description = "Part of a name")
                    String search,
            @Option(
                            names = "--limit",
                            paramLabel = "N",
                            defaultValue = "50",
                            description = ServerOptions.LIMIT)
                    int limit)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    output.list(client.assets().list(search, limit, null).assets(), TABLE);
                });
    }

    @Command(description = "Stores files as assets, all or none.")
    int put(@Parameters(paramLabel = "FILE", arity = "1..*") List<Path> files)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    new AttachmentUploader(client, output).check(files);
                    try (TransferProgress progress =
                            output.progress(AttachmentUploader.names(files))) {
                        List<Asset> stored = client.assets().put(files, progress);
                        progress.done();
                        output.list(stored, TABLE);
                    }
                });
    }

    @Command(
            description = "Downloads an asset to this folder, to TO, or with - to standard output.")
    int get(
            @Parameters(paramLabel = ASSET) String asset,
            @Parameters(paramLabel = "TO", arity = "0..1") @Nullable String to)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    Asset found = IdResolver.asset(client, asset);
                    try (DownloadStream content = client.assets().open(found.id())) {
                        DownloadWriter.save(content, found.name(), to, output);
                    }
                });
    }

    @Command(description = "Deletes an asset.")
    int rm(@Parameters(paramLabel = ASSET) String asset) throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    Asset found = IdResolver.asset(client, asset);
                    client.assets().delete(found.id());
                    output.value(Map.of("id", found.id(), "deleted", true), found.name());
                });
    }
}
