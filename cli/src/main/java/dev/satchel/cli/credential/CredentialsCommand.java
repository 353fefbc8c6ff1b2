package dev.satchel.cli.credential;

import dev.satchel.cli.common.CliException;
import dev.satchel.cli.common.ExitCode;
import dev.satchel.cli.common.ServerOptions;
import dev.satchel.cli.output.HumanFormat;
import dev.satchel.cli.output.Output;
import dev.satchel.cli.output.Table;
import dev.satchel.client.Credentials;
import dev.satchel.client.model.Credential;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Secrets that agents use at other services. */
@Command(
        name = "credentials",
        mixinStandardHelpOptions = true,
        description = "Lists, stores, connects and deletes credentials of agents.")
public final class CredentialsCommand implements Callable<Integer> {
    private static final String NAME = "NAME";

    private final ServerOptions server;

    public CredentialsCommand(ServerOptions server) {
        this.server = server;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        return ls();
    }

    @Command(description = "Lists the credentials, without their values.")
    int ls() throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    output.list(
                            client.credentials().list(),
                            new Table<Credential>()
                                    .column("NAME", Credential::name)
                                    .column("KIND", Credential::kind)
                                    .column("CHANGED", one -> HumanFormat.dateTime(one.updatedAt()))
                                    .column("ENDS", one -> end(one.expiresAt()))
                                    .column("AGENTS", one -> String.join(", ", one.users()))
                                    .column("STATE", CredentialsCommand::state));
                });
    }

    @Command(
            description = {
                "Stores a value, or replaces it.",
                "The value is read from standard input, or asked for without showing it."
            })
    int set(@Parameters(paramLabel = NAME) String name) throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    Credentials credentials = client.credentials();
                    Optional<Credential> before = credentials.find(name);
                    if (before.isPresent() && before.get().isOAuth()) {
                        throw new CliException(
                                ExitCode.CONFLICT,
                                name + " is a login: ./satchel credentials rm " + name + " first");
                    }
                    String value = SecretReader.read("Value of " + name + ": ");
                    Credential stored =
                            before.isPresent()
                                    ? credentials.replace(name, value)
                                    : credentials.create(name, value);
                    output.value(stored, stored.name());
                });
    }

    @Command(description = "Lets a person log in at a service, prints the address, and waits.")
    int login(
            @Parameters(paramLabel = NAME) String name,
            @Option(
                            names = "--resource",
                            paramLabel = "URL",
                            description = "Address of the MCP server, for a new credential")
                    @Nullable String resource,
            @Option(
                            names = "--elsewhere",
                            description =
                                    "The browser is on another machine: the service returns to the"
                                            + " page of the server")
                    boolean isElsewhere,
            @Option(
                            names = "--callback-port",
                            paramLabel = "PORT",
                            defaultValue = "0",
                            description = "Port of this machine to return to (default: a free one)")
                    int port)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    Credentials credentials = client.credentials();
                    prepare(credentials, output, name, resource);
                    TerminalLogin login = new TerminalLogin(credentials, output, name);
                    Credential connected = isElsewhere ? login.elsewhere() : login.here(port);
                    output.value(connected, connected.name() + " is connected");
                });
    }

    private static void prepare(
            Credentials credentials, Output output, String name, @Nullable String resource)
            throws IOException, InterruptedException {
        boolean exists = credentials.find(name).isPresent();
        if (exists && resource != null) {
            output.note(name + " exists and keeps its service");
        } else if (!exists && resource == null) {
            throw new CliException(
                    ExitCode.NOT_FOUND,
                    "no credential is called " + name + ": --resource URL creates it");
        } else if (resource != null) {
            credentials.createLogin(name, resource);
        }
    }

    @Command(description = "Deletes a credential that no agent uses.")
    int rm(
            @Parameters(paramLabel = NAME) String name,
            @Option(names = "--force", description = "Also if agents use it") boolean isForced)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    Optional<Credential> found = client.credentials().find(name);
                    if (found.isPresent() && !found.get().users().isEmpty() && !isForced) {
                        throw new CliException(
                                ExitCode.CONFLICT,
                                "agents use "
                                        + name
                                        + ": "
                                        + String.join(", ", found.get().users())
                                        + " (--force deletes it)");
                    }
                    client.credentials().delete(name);
                    output.value(Map.of("name", name, "deleted", true), name);
                });
    }

    private static String end(@Nullable Instant at) {
        return at == null ? "-" : HumanFormat.dateTime(at);
    }

    private static String state(Credential credential) {
        if (!credential.isOAuth()) {
            return "stored";
        }
        String problem = credential.problem();
        if (problem == null) {
            return "connected";
        }
        return credential.connectedAt() == null ? "needs login" : "failed: " + problem;
    }
}
