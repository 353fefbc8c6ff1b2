package dev.satchel.cli;

import dev.satchel.cli.common.IdResolver;
import dev.satchel.cli.common.ServerOptions;
import dev.satchel.cli.output.HumanFormat;
import dev.satchel.cli.output.Table;
import dev.satchel.client.model.ApiKey;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
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
                                    .column("SCOPES", KeysCommand::scopes)
                                    .column("EXPIRES", key -> time(key.expiresAt()))
                                    .column("LAST USE", key -> time(key.lastUsedAt()))
                                    .column("NAME", ApiKey::name));
                });
    }

    private static String scopes(ApiKey key) {
        List<String> scopes = key.scopes();
        return scopes == null ? "-" : String.join(",", scopes);
    }

    private static String time(@Nullable Instant time) {
        return time == null ? "-" : HumanFormat.dateTime(time);
    }

    @Command(description = "Creates a key and prints it; it cannot be shown again.")
    int create(
            @Parameters(paramLabel = "NAME", description = "Purpose of the key") String name,
            @Option(
                            names = "--tenant",
                            paramLabel = "TENANT",
                            description =
                                    "Tenant of the key; only the tenant default may name another")
                    @Nullable String tenant,
            @Option(
                            names = "--scope",
                            paramLabel = "SCOPE",
                            split = ",",
                            description =
                                    "What it may do: admin, agents, chat, files, read; all by"
                                            + " default")
                    @Nullable List<String> scopes,
            @Option(
                            names = "--days",
                            paramLabel = "DAYS",
                            description = "Days until it expires; never by default")
                    @Nullable Integer days)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    ApiKey key =
                            client.keys()
                                    .create(
                                            name,
                                            tenant,
                                            scopes == null ? List.of() : scopes,
                                            days == null
                                                    ? null
                                                    : Instant.now().plus(Duration.ofDays(days)));
                    output.value(key, String.valueOf(key.key()));
                });
    }

    @Command(description = "Revokes a key, and ends the sessions and keys that came of it.")
    int revoke(
            @Parameters(paramLabel = "KEY", description = "Its id or name") String key,
            @Option(
                            names = "--force",
                            description =
                                    "Also the last key with which an owner reaches everything")
                    boolean force,
            @Option(
                            names = "--keep-made",
                            description = "The keys that it has made go on, to replace it by one")
                    boolean keepMade)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    ApiKey found =
                            IdResolver.resolve(
                                    "key", key, client.keys().list(), ApiKey::id, ApiKey::name);
                    if (force) {
                        client.keys().revokeAlsoLast(found.id());
                    } else if (keepMade) {
                        client.keys().revokeKeepingMade(found.id());
                    } else {
                        client.keys().revoke(found.id());
                    }
                    output.value(Map.of("id", found.id(), "revoked", true), found.name());
                });
    }
}
