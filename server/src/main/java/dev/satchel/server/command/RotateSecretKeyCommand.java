package dev.satchel.server.command;

import dev.satchel.server.application.DataDirectory;
import dev.satchel.server.application.DatabaseOpener;
import dev.satchel.server.application.StartException;
import dev.satchel.server.configuration.ConfigurationException;
import dev.satchel.server.configuration.DatabaseConfiguration.Postgresql;
import dev.satchel.server.configuration.Secret;
import dev.satchel.server.configuration.StorageConfiguration;
import dev.satchel.server.credential.CredentialResealer;
import dev.satchel.server.credential.CredentialStore;
import dev.satchel.server.credential.SealingKeyFile;
import dev.satchel.server.credential.SealingKeys;
import dev.satchel.server.database.Database;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Unmatched;

/** Protects all stored credentials with a new key. */
@Command(
        name = "rotate-secret-key",
        mixinStandardHelpOptions = true,
        description = {
            "Seals the stored credentials again: with a new key of the data folder, or with the"
                    + " first key of SATCHEL_SECRET_KEY.",
            "Stop the server first if it uses SQLite. With PostgreSQL set SATCHEL_SECRET_KEY=NEW,OLD"
                    + " on every server and restart it, run this command, then set"
                    + " SATCHEL_SECRET_KEY=NEW."
        })
final class RotateSecretKeyCommand implements Callable<Integer> {
    private final Map<String, String> variables;

    @Mixin private final CommonOptions options = new CommonOptions();

    @Unmatched private final List<String> unknown = new ArrayList<>();

    RotateSecretKeyCommand(Map<String, String> variables) {
        this.variables = variables;
    }

    @Override
    public Integer call() throws ConfigurationException, StartException, IOException {
        StorageConfiguration storage = options.read(variables, unknown).configuration().storage();
        Secret configured = storage.secretKey();
        if (storage.database() instanceof Postgresql) {
            if (configured == null) {
                throw new StartException("set SATCHEL_SECRET_KEY to NEW,OLD");
            }
            return report(reseal(storage, SealingKeys.configured(configured.value())));
        }
        try (DataDirectory data = DataDirectory.open(storage.dataDirectory())) {
            data.lock();
            if (configured != null) {
                return report(reseal(storage, SealingKeys.configured(configured.value())));
            }
            SealingKeyFile file = SealingKeyFile.in(storage.dataDirectory());
            file.addKey();
            int count = reseal(storage, SealingKeys.of(file));
            file.keepFirst();
            return report(count);
        }
    }

    private static int reseal(StorageConfiguration storage, SealingKeys keys)
            throws StartException {
        try (Database database = DatabaseOpener.open(storage.database())) {
            return new CredentialResealer(database, new CredentialStore(), keys).reseal();
        }
    }

    private static int report(int count) {
        System.out.println(
                "sealed " + count + (count == 1 ? " credential" : " credentials") + " again");
        return 0;
    }
}
