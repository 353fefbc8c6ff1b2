package dev.satchel.server.command;

import dev.satchel.server.configuration.ConfigurationException;
import dev.satchel.server.configuration.ConfigurationReader;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The flags of commands that read the server's configuration. They are plain text here, so that
 * {@link ConfigurationReader} can report every problem at once.
 */
final class CommonOptions {
    @Option(
            names = "--port",
            arity = "0..1",
            fallbackValue = "",
            description = "Port to listen on; 0 is any free port (SATCHEL_PORT, 8080)")
    private @Nullable String port;

    @Option(
            names = "--data",
            arity = "0..1",
            fallbackValue = "",
            description = "Data folder (SATCHEL_DATA_DIR, ./data)")
    private @Nullable String data;

    @Option(
            names = "--host",
            arity = "0..1",
            fallbackValue = "",
            description = "Address to listen on (SATCHEL_HOST, 127.0.0.1)")
    private @Nullable String host;

    ConfigurationReader.Outcome read(Map<String, String> variables, List<String> unknown)
            throws ConfigurationException {
        Map<String, String> flags = new HashMap<>();
        put(flags, "--port", port);
        put(flags, "--data", data);
        put(flags, "--host", host);
        return ConfigurationReader.read(flags, unknown, variables);
    }

    private static void put(Map<String, String> flags, String name, @Nullable String value) {
        if (value != null) {
            flags.put(name, value);
        }
    }
}
