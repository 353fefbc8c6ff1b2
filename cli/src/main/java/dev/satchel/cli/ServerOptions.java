package dev.satchel.cli;

import dev.satchel.client.ApiException;
import dev.satchel.client.SatchelClient;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The flags that every command takes. */
final class ServerOptions {
    /** Said alike wherever something is listed. */
    static final String LIMIT = "How many at most (${DEFAULT-VALUE})";

    @Option(
            names = "--url",
            paramLabel = "URL",
            scope = ScopeType.INHERIT,
            description = "The server (SATCHEL_URL; else the one of this machine)")
    private @Nullable String url;

    @Option(
            names = "--key",
            paramLabel = "KEY",
            scope = ScopeType.INHERIT,
            description = "An API key (SATCHEL_API_KEY; else the one in the data folder)")
    private @Nullable String key;

    @Option(
            names = "--data",
            paramLabel = "FOLDER",
            scope = ScopeType.INHERIT,
            description = "The data folder of this machine's server (SATCHEL_DATA_DIR, ./data)")
    private @Nullable String data;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            scope = ScopeType.INHERIT,
            description = "The port of this machine's server (SATCHEL_PORT, 8080)")
    private @Nullable String port;

    @Option(
            names = "--json",
            scope = ScopeType.INHERIT,
            description = "Print JSON, one object a line")
    private boolean json;

    /** What a command does with a server; its number is the exit code. */
    @FunctionalInterface
    interface Work {
        int run(SatchelClient client, Output output) throws IOException, InterruptedException;
    }

    /** What a command does that ends well, or with an exception. */
    @FunctionalInterface
    interface Task {
        void run(SatchelClient client, Output output) throws IOException, InterruptedException;
    }

    int perform(Task task) throws IOException, InterruptedException {
        return run(
                (client, output) -> {
                    task.run(client, output);
                    return ExitCode.DONE;
                });
    }

    int run(Work work) throws IOException, InterruptedException {
        Target target = target();
        try (SatchelClient client = SatchelClient.of(target.url(), target.key())) {
            return work.run(client, new Output(System.out, System.err, json));
        } catch (ApiException e) {
            throw e;
        } catch (ConnectException | HttpConnectTimeoutException | UnresolvedAddressException e) {
            throw new CliException(
                    ExitCode.UNREACHABLE,
                    "no server answers at "
                            + target.url()
                            + ": is it started (./satchel serve), and is that its address?");
        }
    }

    private Target target() {
        return Target.of(new Target.Flags(url, key, data, port), System.getenv());
    }
}
