package dev.satchel.cli.common;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The address of the server and the API key. Flags have priority over {@code SATCHEL_URL} and
 * {@code SATCHEL_API_KEY}. The default is the server on this machine with the key of its data
 * folder, and that key is sent only to this machine.
 */
public record ServerTarget(URI url, String key) {
    private static final List<String> LOOPBACK = List.of("127.0.0.1", "localhost", "[::1]");

    /** The options of the command line. */
    public record Flags(
            @Nullable String url,
            @Nullable String key,
            @Nullable String data,
            @Nullable String port) {}

    public static ServerTarget of(Flags flags, Map<String, String> environment) {
        String url = first(flags.url(), environment.get("SATCHEL_URL"));
        if (url == null) {
            url =
                    "http://127.0.0.1:"
                            + orDefault(flags.port(), environment.get("SATCHEL_PORT"), "8080");
        }
        URI server = parse(url);
        String key = first(flags.key(), environment.get("SATCHEL_API_KEY"));
        return new ServerTarget(server, key == null ? storedKey(server, flags, environment) : key);
    }

    private static URI parse(String url) {
        try {
            URI server = new URI(url);
            if (server.getHost() != null && List.of("http", "https").contains(server.getScheme())) {
                return server;
            }
        } catch (URISyntaxException e) {
            // reported below
        }
        throw new CliException(
                ExitCode.WRONG_USE, "not an http or https address of a server: " + url);
    }

    private static String storedKey(URI server, Flags flags, Map<String, String> environment) {
        String named = environment.get("SATCHEL_API_KEY_FILE");
        if (named != null && !named.isBlank()) {
            return read(Path.of(named));
        }
        if (!LOOPBACK.contains(server.getHost())) {
            throw new CliException(
                    ExitCode.NOT_ALLOWED,
                    "no key for " + server + ": give one with --key or SATCHEL_API_KEY");
        }
        String data = orDefault(flags.data(), environment.get("SATCHEL_DATA_DIR"), "data");
        return read(Path.of(data).resolve("api-key"));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new CliException(
                    ExitCode.NOT_ALLOWED,
                    "no key: "
                            + file
                            + " cannot be read. Name the server's data folder with --data, or give"
                            + " a key with --key or SATCHEL_API_KEY");
        }
    }

    private static @Nullable String first(@Nullable String flag, @Nullable String variable) {
        if (flag != null) {
            return flag;
        }
        return variable == null || variable.isBlank() ? null : variable;
    }

    private static String orDefault(
            @Nullable String flag, @Nullable String variable, String defaultValue) {
        String given = first(flag, variable);
        return given == null ? defaultValue : given;
    }

    @Override
    public String toString() { // the key stays out of messages
        return "ServerTarget[" + url + "]";
    }
}
