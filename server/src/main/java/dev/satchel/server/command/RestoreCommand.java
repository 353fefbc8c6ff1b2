package dev.satchel.server.command;

import dev.satchel.server.application.CloseStack;
import dev.satchel.server.application.DataDirectory;
import dev.satchel.server.application.DatabaseOpener;
import dev.satchel.server.application.SandboxWiring;
import dev.satchel.server.application.StartException;
import dev.satchel.server.backup.BackupException;
import dev.satchel.server.backup.BackupPlace;
import dev.satchel.server.backup.Restore;
import dev.satchel.server.configuration.BackupPlaceReader;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.configuration.ConfigurationException;
import dev.satchel.server.configuration.StorageConfiguration;
import dev.satchel.server.conversation.MessageStore;
import dev.satchel.server.database.Database;
import dev.satchel.server.search.SearchBackfill;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Unmatched;

/** Fills an empty place from a backup. */
@Command(
        name = "restore",
        mixinStandardHelpOptions = true,
        description = {
            "Restores a backup into an empty data folder, or into the empty database and bucket"
                    + " that DATABASE_URL and SATCHEL_S3_BUCKET name. No server may use them yet.",
            "If the command is interrupted, run it again. See docs/guides/backup.md."
        })
final class RestoreCommand implements Callable<Integer> {
    private final Map<String, String> variables;

    @Mixin private final CommonOptions options = new CommonOptions();

    @Parameters(paramLabel = "PLACE", description = "A folder, or s3://BUCKET/PREFIX")
    private String place = "";

    @Option(names = "--state", paramLabel = "NAME", description = "Not the newest backup")
    private @Nullable String state;

    @Unmatched private final List<String> unknown = new ArrayList<>();

    RestoreCommand(Map<String, String> variables) {
        this.variables = variables;
    }

    @Override
    public Integer call() throws ConfigurationException, StartException, InterruptedException {
        Configuration configuration = options.read(variables, unknown).configuration();
        StorageConfiguration storage = configuration.storage();
        BackupPlaceReader.Place source = BackupPlaceReader.read(place, storage, variables);
        try (CloseStack closing = new CloseStack()) {
            BackupPlace backups = closing.add(BackupCommand.open(source));
            Restore restore = Restore.of(backups, Optional.ofNullable(state), BackupCommand::print);
            closing.add(DataDirectory.open(storage.dataDirectory())).lock();
            requireNoWorkspaces(configuration);
            restore(restore, storage);
            BackupCommand.print("Done: " + restore.name() + " is restored.");
            BackupCommand.print(secrets(storage, restore.credentials()));
            return 0;
        } catch (BackupException e) {
            throw new StartException(String.valueOf(e.getMessage()), e);
        } catch (IOException | RuntimeException e) {
            throw new StartException("the restore stopped, run it again: " + e.getMessage(), e);
        }
    }

    /** The objects come first, so that no row names one that is missing. */
    private static void restore(Restore restore, StorageConfiguration storage)
            throws StartException, IOException, InterruptedException, BackupException {
        try (CloseStack closing = new CloseStack()) {
            Database database =
                    closing.add(DatabaseOpener.open(storage.database(), restore.step()));
            restore.requireEmpty(database);
            long files = restore.restoreObjects(closing.add(BackupCommand.open(storage.objects())));
            BackupCommand.print("files: all " + files + " are there");
            BackupCommand.print("rows: all " + restore.restoreRows(database) + " are there");
        }
        try (Database current = DatabaseOpener.open(storage.database())) {
            new SearchBackfill(current, MessageStore::searched, Clock.systemUTC()).runToEnd();
        }
        BackupCommand.print("search: everything is indexed");
    }

    /** Live workspaces of another system would be taken for those of this one. */
    private static void requireNoWorkspaces(Configuration configuration)
            throws StartException, IOException {
        Optional<Path> workspaces =
                new SandboxWiring(configuration).workspaces().filter(Files::isDirectory);
        if (workspaces.isEmpty()) {
            return;
        }
        try (Stream<Path> content = Files.list(workspaces.get())) {
            if (content.findAny().isPresent()) {
                throw new StartException(
                        workspaces.get() + " is not empty: name another data folder");
            }
        }
    }

    private static String secrets(StorageConfiguration storage, long credentials) {
        if (credentials == 0) {
            return "Start the server with the same variables.";
        }
        String where =
                storage.secretKey() == null
                        ? "copy the old secret-key file into " + storage.dataDirectory()
                        : "check that SATCHEL_SECRET_KEY has the old key";
        return "Before you start the server: "
                + where
                + ", or "
                + credentials
                + " stored credentials cannot be used.";
    }
}
