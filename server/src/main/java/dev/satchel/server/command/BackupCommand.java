package dev.satchel.server.command;

import dev.satchel.server.application.Application;
import dev.satchel.server.application.CloseStack;
import dev.satchel.server.application.DatabaseOpener;
import dev.satchel.server.application.StartException;
import dev.satchel.server.backup.Backup;
import dev.satchel.server.backup.BackupCheck;
import dev.satchel.server.backup.BackupException;
import dev.satchel.server.backup.BackupPlace;
import dev.satchel.server.configuration.BackupPlaceReader;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.configuration.ConfigurationException;
import dev.satchel.server.configuration.ObjectStoreConfiguration;
import dev.satchel.server.configuration.StorageConfiguration;
import dev.satchel.server.database.Database;
import dev.satchel.server.objectstore.LocalObjectStore;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.objectstore.S3ObjectStore;
import dev.satchel.server.objectstore.S3Settings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Unmatched;

/** Backs up rows and objects while servers use them. */
@Command(
        name = "backup",
        mixinStandardHelpOptions = true,
        description = {
            "Backs up the database and the files to a folder or to s3://BUCKET/PREFIX, while the"
                    + " server runs. Only what is new is copied.",
            "Run it with the variables of the server, on a machine that reaches its database and"
                    + " files; with SQLite on the machine of the server. See docs/guides/backup.md."
        })
final class BackupCommand implements Callable<Integer> {
    private final Map<String, String> variables;

    @Mixin private final CommonOptions options = new CommonOptions();

    @Parameters(
            arity = "0..1",
            paramLabel = "PLACE",
            description = "A folder, or s3://BUCKET/PREFIX")
    private @Nullable String place;

    @Option(names = "--full", description = "Read every file again, also those that are there")
    private boolean isFull;

    @Option(
            names = "--keep",
            paramLabel = "N",
            description = "Delete all but the newest N backups afterwards")
    private @Nullable Integer keep;

    @Unmatched private final List<String> unknown = new ArrayList<>();

    private BackupCommand(Map<String, String> variables) {
        this.variables = variables;
    }

    static CommandLine line(Map<String, String> variables) {
        return new CommandLine(new BackupCommand(variables))
                .addSubcommand(new Verify(variables))
                .addSubcommand(new Names(variables));
    }

    @Override
    public Integer call() throws ConfigurationException, StartException, InterruptedException {
        if (place == null) {
            throw new ConfigurationException(
                    List.of("backup needs the place: a folder, or s3://BUCKET/PREFIX"));
        }
        if (keep != null && keep < 1) {
            throw new ConfigurationException(List.of("--keep must be at least 1"));
        }
        Configuration configuration = options.read(variables, unknown).configuration();
        StorageConfiguration storage = configuration.storage();
        BackupPlaceReader.Place target = BackupPlaceReader.read(place, storage, variables);
        try (CloseStack closing = new CloseStack()) {
            Database database = closing.add(DatabaseOpener.withoutMigration(storage.database()));
            ObjectStore objects = closing.add(open(storage.objects()));
            BackupPlace backups = closing.add(open(target));
            Backup.Result result =
                    new Backup(database, objects, backups, Clock.systemUTC(), BackupCommand::print)
                            .run(
                                    new Backup.Options(
                                            Application.version(),
                                            isFull,
                                            Optional.ofNullable(keep)));
            print("Done: " + result.name());
            print(secrets(storage, result.credentials()));
            return 0;
        } catch (BackupException e) {
            throw new StartException(String.valueOf(e.getMessage()), e);
        } catch (IOException | RuntimeException e) {
            throw new StartException("the backup stopped, run it again: " + e.getMessage(), e);
        }
    }

    private static String secrets(StorageConfiguration storage, long credentials) {
        if (credentials == 0) {
            return "No key is needed to use it: no credentials are stored.";
        }
        String key =
                storage.secretKey() == null
                        ? storage.dataDirectory().resolve("secret-key").toString()
                        : "SATCHEL_SECRET_KEY";
        return "Not in the backup: the key of "
                + credentials
                + " stored credentials ("
                + key
                + "). Keep a copy of it in another place.";
    }

    static BackupPlace open(BackupPlaceReader.Place place) throws IOException {
        return new BackupPlace(open(place.objects()), place.prefix());
    }

    /** As it is: a server adds the hold of backups. The caller closes it. */
    static ObjectStore open(ObjectStoreConfiguration configuration) throws IOException {
        return switch (configuration) {
            case ObjectStoreConfiguration.Local(Path directory) -> new LocalObjectStore(directory);
            case ObjectStoreConfiguration.S3(S3Settings settings) -> new S3ObjectStore(settings);
        };
    }

    static void print(String line) {
        System.out.println(line);
        System.out.flush();
    }

    /** Reads a backup and compares it with its hashes. */
    @Command(
            name = "verify",
            mixinStandardHelpOptions = true,
            description = "Reads a whole backup and checks every row and every file.")
    static final class Verify implements Callable<Integer> {
        private final Map<String, String> variables;

        @Mixin private final CommonOptions options = new CommonOptions();

        @Parameters(paramLabel = "PLACE", description = "A folder, or s3://BUCKET/PREFIX")
        private String place = "";

        @Option(names = "--state", paramLabel = "NAME", description = "Not the newest backup")
        private @Nullable String state;

        @Unmatched private final List<String> unknown = new ArrayList<>();

        Verify(Map<String, String> variables) {
            this.variables = variables;
        }

        @Override
        public Integer call() throws ConfigurationException, StartException, InterruptedException {
            StorageConfiguration storage =
                    options.read(variables, unknown).configuration().storage();
            try (BackupPlace backups = open(BackupPlaceReader.read(place, storage, variables))) {
                String name =
                        new BackupCheck(backups, BackupCommand::print)
                                .check(Optional.ofNullable(state));
                print("Done: " + name + " is complete");
                return 0;
            } catch (BackupException e) {
                throw new StartException(String.valueOf(e.getMessage()), e);
            } catch (IOException | RuntimeException e) {
                throw new StartException("the backup cannot be read: " + e.getMessage(), e);
            }
        }
    }

    /** Prints the names of all backups. */
    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "Prints the names of the backups, the newest last.")
    static final class Names implements Callable<Integer> {
        private final Map<String, String> variables;

        @Mixin private final CommonOptions options = new CommonOptions();

        @Parameters(paramLabel = "PLACE", description = "A folder, or s3://BUCKET/PREFIX")
        private String place = "";

        @Unmatched private final List<String> unknown = new ArrayList<>();

        Names(Map<String, String> variables) {
            this.variables = variables;
        }

        @Override
        public Integer call() throws ConfigurationException, StartException {
            StorageConfiguration storage =
                    options.read(variables, unknown).configuration().storage();
            try (BackupPlace backups = open(BackupPlaceReader.read(place, storage, variables))) {
                backups.states().forEach(BackupCommand::print);
                return 0;
            } catch (IOException | RuntimeException e) {
                throw new StartException("the backups cannot be read: " + e.getMessage(), e);
            }
        }
    }
}
