package dev.satchel.cli;

import dev.satchel.cli.common.IdResolver;
import dev.satchel.cli.common.ServerOptions;
import dev.satchel.cli.output.HumanFormat;
import dev.satchel.cli.output.Table;
import dev.satchel.client.model.ApiKey;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** API keys. */
@Command(
        name = "keys",
        mixinStandardHelpOptions = true,
        description = "Lists, creates and revokes API keys.")
final class KeysCommand implements Callable<Integer> {
    private final ServerOptions server;

    KeysCommand(ServerOptions server) {
        this.server = server;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        return ls();
    }

    @Command(description = "Lists the keys, without their secrets.")
    int ls() throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    output.list(
                            client.keys().list(),
                            new Table<ApiKey>()
                                    .column("ID", ApiKey::id)
                                    .column("CREATED", key -> HumanFormat.dateTime(key.createdAt()))
                                    .column("TENANT", ApiKey::workspaceId)
                                    .column("NAME", ApiKey::name));
                });
    }

    @Command(description = "Creates a key and prints it; it cannot be shown again.")
    int create(
            @Parameters(paramLabel = "NAME", description = "Purpose of the key") String name,
            @Option(
                            names = "--tenant",
                            paramLabel = "TENANT",
                            description =
                                    "Tenant of the key; only the tenant default may name another")
                    @Nullable String tenant)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    ApiKey key = client.keys().create(name, tenant);
                    output.value(key, String.valueOf(key.key()));
                });
    }

    @Command(description = "Revokes a key.")
    int revoke(@Parameters(paramLabel = "KEY", description = "Its id or name") String key)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    ApiKey found =
                            IdResolver.resolve(
                                    "key", key, client.keys().list(), ApiKey::id, ApiKey::name);
                    client.keys().revoke(found.id());
                    output.value(Map.of("id", found.id(), "revoked", true), found.name());
                });
    }
}
