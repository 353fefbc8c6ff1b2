package dev.satchel.cli.common;

import dev.satchel.cli.output.Output;
import dev.satchel.client.ApiException;
import dev.satchel.client.SatchelClient;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The options that every command accepts. */
public final class ServerOptions {
    /** The description of every {@code --limit}. */
    public static final String LIMIT = "Maximum number of entries (${DEFAULT-VALUE})";

    @Option(
            names = "--url",
            paramLabel = "URL",
            scope = ScopeType.INHERIT,
            description =
                    "Address of the server (SATCHEL_URL; default: the server on this machine)")
    private @Nullable String url;

    @Option(
            names = "--key",
            paramLabel = "KEY",
            scope = ScopeType.INHERIT,
            description = "API key (SATCHEL_API_KEY; default: the key in the data folder)")
    private @Nullable String key;

    @Option(
            names = "--data",
            paramLabel = "FOLDER",
            scope = ScopeType.INHERIT,
            description = "Data folder of the server on this machine (SATCHEL_DATA_DIR, ./data)")
    private @Nullable String data;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            scope = ScopeType.INHERIT,
            description = "Port of the server on this machine (SATCHEL_PORT, 8080)")
    private @Nullable String port;

    @Option(
            names = "--json",
            scope = ScopeType.INHERIT,
            description = "Print JSON, one object per line")
    private boolean json;

    /** The body of a command that returns an exit code. */
    @FunctionalInterface
    public interface TaskWithExitCode {
        int run(SatchelClient client, Output output) throws IOException, InterruptedException;
    }

    /** The body of a command that succeeds or throws an exception. */
    @FunctionalInterface
    public interface Task {
        void run(SatchelClient client, Output output) throws IOException, InterruptedException;
    }

    public int perform(Task task) throws IOException, InterruptedException {
        return run(
                (client, output) -> {
                    task.run(client, output);
                    return ExitCode.DONE;
                });
    }

    public int run(TaskWithExitCode task) throws IOException, InterruptedException {
        ServerTarget target = target();
        try (SatchelClient client = SatchelClient.of(target.url(), target.key())) {
            return task.run(client, new Output(System.out, System.err, json));
        } catch (ApiException e) {
            throw e;
        } catch (ConnectException | HttpConnectTimeoutException | UnresolvedAddressException e) {
            throw new CliException(
                    ExitCode.UNREACHABLE,
                    "no server answers at "
                            + target.url()
                            + ": start it with ./satchel serve, or check the address");
        }
    }

    private ServerTarget target() {
        return ServerTarget.of(new ServerTarget.Flags(url, key, data, port), System.getenv());
    }
}
