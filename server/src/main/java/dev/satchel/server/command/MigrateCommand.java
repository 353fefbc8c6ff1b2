package dev.satchel.server.command;

import dev.satchel.filesystem.workspace.WorkspaceDirectories;
import dev.satchel.server.application.CloseStack;
import dev.satchel.server.application.DataDirectory;
import dev.satchel.server.application.DatabaseOpener;
import dev.satchel.server.application.SandboxWiring;
import dev.satchel.server.application.StartException;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.configuration.ConfigurationException;
import dev.satchel.server.configuration.DatabaseConfiguration;
import dev.satchel.server.configuration.DatabaseConfiguration.Postgresql;
import dev.satchel.server.configuration.DatabaseConfiguration.Sqlite;
import dev.satchel.server.configuration.ObjectStoreConfiguration.Local;
import dev.satchel.server.configuration.ObjectStoreConfiguration.S3;
import dev.satchel.server.configuration.StorageConfiguration;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.conversation.MessageStore;
import dev.satchel.server.database.Database;
import dev.satchel.server.migrate.MigrationException;
import dev.satchel.server.migrate.ObjectMigration;
import dev.satchel.server.migrate.RowMigration;
import dev.satchel.server.migrate.UnsavedWorkspaces;
import dev.satchel.server.objectstore.LocalObjectStore;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.objectstore.S3ObjectStore;
import dev.satchel.server.objectstore.S3Settings;
import dev.satchel.server.snapshot.SnapshotRetention;
import dev.satchel.server.snapshot.SnapshotService;
import dev.satchel.server.snapshot.SnapshotStore;
import dev.satchel.server.workspace.LiveWorkspaces;
import dev.satchel.server.workspace.LocalWorkspaces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Unmatched;

/** Copies rows and objects of the data folder to PostgreSQL and S3. */
@Command(
        name = "migrate",
        mixinStandardHelpOptions = true,
        description = {
            "Copies the rows of SQLite to DATABASE_URL and the files of the data folder to"
                    + " SATCHEL_S3_BUCKET, whichever is set, and verifies both.",
            "Stop the server first. Workspaces that have changed since their last snapshot get a new"
                    + " one; nothing else in the data folder changes. If the command is"
                    + " interrupted, run it again. See docs/guides/postgresql-and-s3.md."
        })
final class MigrateCommand implements Callable<Integer> {
    private final Map<String, String> variables;

    @Mixin private final CommonOptions options = new CommonOptions();

    @Unmatched private final List<String> unknown = new ArrayList<>();

    MigrateCommand(Map<String, String> variables) {
        this.variables = variables;
    }

    @Override
    public Integer call() throws ConfigurationException, StartException, InterruptedException {
        Configuration configuration = options.read(variables, unknown).configuration();
        StorageConfiguration storage = configuration.storage();
        if (storage.database() instanceof Sqlite && storage.objects() instanceof Local) {
            throw new ConfigurationException(
                    List.of("migrate where to? Set DATABASE_URL, SATCHEL_S3_BUCKET or both"));
        }
        Path data = storage.dataDirectory();
        if (!Files.isDirectory(data)) {
            throw new StartException("there is no data folder " + data);
        }
        try (CloseStack closing = new CloseStack()) {
            closing.add(DataDirectory.open(data)).lock();
            saveWorkspaces(configuration);
            migrate(storage, closing);
            return 0;
        } catch (MigrationException e) {
            throw new StartException(String.valueOf(e.getMessage()), e);
        } catch (IOException | RuntimeException e) {
            throw new StartException("the migration stopped, run it again: " + e.getMessage(), e);
        }
    }

    /** Live workspaces are not copied, so a snapshot of each changed one is taken first. */
    private static void saveWorkspaces(Configuration configuration)
            throws StartException, IOException {
        StorageConfiguration storage = configuration.storage();
        Path data = storage.dataDirectory();
        Optional<Path> workspaces =
                new SandboxWiring(configuration).workspaces().filter(Files::isDirectory);
        Local local = Local.in(data);
        if (workspaces.isEmpty() || !Files.isDirectory(local.directory())) {
            return; // no workspaces, or their snapshots are in a bucket already
        }
        try (CloseStack closing = new CloseStack()) {
            Database database = closing.add(DatabaseOpener.open(currentDatabase(storage)));
            ObjectStore objects = closing.add(new LocalObjectStore(local.directory()));
            ConversationStore conversations = new ConversationStore();
            SnapshotService snapshots =
                    new SnapshotService(
                            database,
                            new SnapshotStore(conversations),
                            objects,
                            SnapshotRetention.USUAL,
                            Clock.systemUTC());
            LiveWorkspaces live =
                    new LocalWorkspaces(new WorkspaceDirectories(workspaces.get(), "migrate"));
            int saved = new UnsavedWorkspaces(database, conversations, live, snapshots).save();
            if (saved > 0) {
                print(
                        "workspaces: "
                                + saved
                                + " had changed since their last snapshots and have new ones");
            }
        }
    }

    /** SQLite as long as its file exists. */
    private static DatabaseConfiguration currentDatabase(StorageConfiguration storage) {
        Sqlite sqlite = Sqlite.in(storage.dataDirectory());
        return Files.exists(sqlite.file()) ? sqlite : storage.database();
    }

    /** Objects come first, so that no row refers to an object that is missing. */
    private static void migrate(StorageConfiguration storage, CloseStack closing)
            throws StartException, IOException, InterruptedException, MigrationException {
        Path data = storage.dataDirectory();
        Optional<RowMigration> rows =
                storage.database() instanceof Postgresql target
                        ? rows(Sqlite.in(data), target, closing)
                        : Optional.empty();
        boolean areRowsThere = rows.isPresent() && rows.get().isDone();
        if (storage.objects() instanceof S3(S3Settings target)) {
            ObjectMigration objects = objects(Local.in(data), target, closing);
            objects.check();
            print("files: all " + objects.migrate() + " are there");
        }
        if (areRowsThere) {
            print("rows: are there already");
        } else if (rows.isPresent()) {
            print("rows: all " + rows.get().migrate() + " are there");
        }
        if (rows.isPresent()) {
            rows.get().index(MessageStore::searched);
            print("search: everything is indexed");
        }
        print("Done. Start the server with the same variables; " + data + " is unchanged.");
    }

    private static Optional<RowMigration> rows(Sqlite from, Postgresql to, CloseStack closing)
            throws StartException {
        if (!Files.exists(from.file())) {
            print("rows: there is no " + from.file() + ", so no rows are copied");
            return Optional.empty();
        }
        Database source = closing.add(DatabaseOpener.open(from));
        Database target = closing.add(DatabaseOpener.open(to));
        return Optional.of(new RowMigration(source, target, MigrateCommand::print));
    }

    private static ObjectMigration objects(Local from, S3Settings to, CloseStack closing)
            throws IOException {
        ObjectStore source = closing.add(new LocalObjectStore(from.directory()));
        ObjectStore target = closing.add(new S3ObjectStore(to));
        return new ObjectMigration(source, target, MigrateCommand::print);
    }

    private static void print(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
