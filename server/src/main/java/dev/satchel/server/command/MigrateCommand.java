package dev.satchel.server.command;

import dev.satchel.filesystem.workspace.WorkspaceDirectories;
import dev.satchel.server.application.CloseStack;
import dev.satchel.server.application.DataDirectory;
import dev.satchel.server.application.DatabaseOpener;
import dev.satchel.server.application.SandboxWiring;
import dev.satchel.server.application.StartException;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.configuration.Configuration.DatabaseUrl;
import dev.satchel.server.configuration.Configuration.Storage;
import dev.satchel.server.configuration.ConfigurationException;
import dev.satchel.server.database.Database;
import dev.satchel.server.migrate.MigrationException;
import dev.satchel.server.migrate.ObjectMigration;
import dev.satchel.server.migrate.RowMigration;
import dev.satchel.server.objectstore.LocalObjectStore;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.objectstore.S3ObjectStore;
import dev.satchel.server.snapshot.SnapshotRetention;
import dev.satchel.server.snapshot.SnapshotService;
import dev.satchel.server.snapshot.SnapshotStore;
import dev.satchel.server.workspace.LiveWorkspaces;
import dev.satchel.server.workspace.LocalWorkspaces;
import dev.satchel.server.workspace.UnsavedWorkspaces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Unmatched;

/** Moves what lies in the data folder to where the variables say that it shall be from now on. */
@Command(
        name = "migrate",
        mixinStandardHelpOptions = true,
        description = {
            "Copies the rows of the data folder's SQLite to DATABASE_URL and its files to"
                    + " SATCHEL_S3_BUCKET, whichever is set, and verifies both.",
            "The server must be stopped. What agents' directories hold beyond their last snapshot is"
                    + " kept in another; otherwise the data folder stays as it is. Killed half-way,"
                    + " it is simply run again. docs/guides/postgresql-and-s3.md leads through it."
        })
final class MigrateCommand implements Callable<Integer> {
    private static final String OBJECTS = "objects";

    private final Map<String, String> variables;

    @Mixin private final CommonOptions options = new CommonOptions();

    @Unmatched private final List<String> unknown = new ArrayList<>();

    MigrateCommand(Map<String, String> variables) {
        this.variables = variables;
    }

    @Override
    public Integer call() throws ConfigurationException, StartException, InterruptedException {
        Configuration configuration = options.read(variables, unknown).configuration();
        Storage storage = configuration.storage();
        if (storage.databaseUrl() == null && storage.s3() == null) {
            throw new ConfigurationException(
                    List.of("migrate where to? Set DATABASE_URL, SATCHEL_S3_BUCKET or both"));
        }
        if (!Files.isDirectory(storage.dataFolder())) {
            throw new StartException("there is no data folder " + storage.dataFolder());
        }
        try (CloseStack closing = new CloseStack()) {
            DataDirectory folder = closing.add(DataDirectory.open(storage.dataFolder()));
            folder.lock();
            keepWorkspaces(configuration, folder.path());
            move(storage, folder.path(), closing);
            return 0;
        } catch (MigrationException e) {
            throw new StartException(String.valueOf(e.getMessage()), e);
        } catch (IOException | RuntimeException e) {
            throw new StartException("the migration stopped, run it again: " + e.getMessage(), e);
        }
    }

    /** Live directories do not move, so what is in them and in no snapshot is kept in one first. */
    private static void keepWorkspaces(Configuration configuration, Path folder)
            throws StartException, IOException {
        Optional<Path> disk =
                new SandboxWiring(configuration.sandbox(), folder, configuration.runs().total())
                        .workspaces()
                        .filter(Files::isDirectory);
        Path objectsFolder = folder.resolve(OBJECTS);
        if (disk.isEmpty() || !Files.isDirectory(objectsFolder)) {
            return; // no agent has worked here, or its files lie in a bucket already
        }
        try (CloseStack closing = new CloseStack()) {
            Database database = closing.add(rowsOf(configuration.storage(), folder));
            ObjectStore objects = closing.add(new LocalObjectStore(objectsFolder));
            SnapshotService snapshots =
                    new SnapshotService(
                            database,
                            new SnapshotStore(),
                            objects,
                            SnapshotRetention.USUAL,
                            Clock.systemUTC());
            LiveWorkspaces live =
                    new LocalWorkspaces(new WorkspaceDirectories(disk.get(), "migrate"));
            int kept = new UnsavedWorkspaces(database, live, snapshots).save();
            if (kept > 0) {
                say("workspaces: " + kept + " had changed since the last snapshot and are kept");
            }
        }
    }

    private static Database rowsOf(Storage storage, Path folder) throws StartException {
        DatabaseUrl url = storage.databaseUrl();
        return url == null || Files.exists(folder.resolve(DatabaseOpener.FILE))
                ? DatabaseOpener.sqlite(folder)
                : DatabaseOpener.postgresql(url);
    }

    /** Files first: a row never tells of bytes that are not there. */
    private static void move(Storage storage, Path folder, CloseStack closing)
            throws StartException, IOException, InterruptedException, MigrationException {
        RowMigration rows = rows(storage, folder, closing);
        ObjectMigration objects = objects(storage, folder, closing);
        boolean areRowsThere = rows != null && rows.isDone();
        if (objects != null) {
            objects.check();
            say("files: all " + objects.move() + " are there");
        }
        if (rows != null) {
            say(
                    areRowsThere
                            ? "rows: are there already"
                            : "rows: all " + rows.move() + " are there");
        }
        say("Done. Start the server with the same variables; " + folder + " is as it was.");
    }

    private static @Nullable RowMigration rows(Storage storage, Path folder, CloseStack closing)
            throws StartException {
        if (storage.databaseUrl() == null) {
            return null;
        }
        if (!Files.exists(folder.resolve(DatabaseOpener.FILE))) {
            say(
                    "rows: no "
                            + DatabaseOpener.FILE
                            + " in "
                            + folder
                            + ", so they stay where they are");
            return null;
        }
        Database source = closing.add(DatabaseOpener.sqlite(folder));
        Database target = closing.add(DatabaseOpener.postgresql(storage.databaseUrl()));
        return new RowMigration(source, target, MigrateCommand::say);
    }

    private static @Nullable ObjectMigration objects(
            Storage storage, Path folder, CloseStack closing) throws IOException {
        if (storage.s3() == null) {
            return null;
        }
        ObjectStore source = closing.add(new LocalObjectStore(folder.resolve(OBJECTS)));
        ObjectStore target = closing.add(new S3ObjectStore(storage.s3().settings()));
        return new ObjectMigration(source, target, MigrateCommand::say);
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
