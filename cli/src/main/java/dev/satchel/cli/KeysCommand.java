package dev.satchel.cli;

import dev.satchel.client.ApiKey;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Keys to the API. */
@Command(
        name = "keys",
        mixinStandardHelpOptions = true,
        description = "Lists API keys, makes and revokes them.")
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
                                    .column("MADE", key -> Words.moment(key.createdAt()))
                                    .column("TENANT", ApiKey::workspaceId)
                                    .column("NAME", ApiKey::name));
                });
    }

    @Command(description = "Makes a key and prints it; it is shown only now.")
    int create(
            @Parameters(paramLabel = "NAME", description = "What it is for") String name,
            @Option(
                            names = "--tenant",
                            paramLabel = "TENANT",
                            description = "Whom it shall belong to")
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
                            Ids.one("key", key, client.keys().list(), ApiKey::id, ApiKey::name);
                    client.keys().revoke(found.id());
                    output.value(Map.of("id", found.id(), "revoked", true), found.name());
                });
    }
}
