package dev.satchel.runner.sandbox.bubblewrap;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The variables and the forwarder by which programs in a sandbox reach the runner's proxy. */
final class EgressEnvironment {
    private static final String PORT = "3128";
    private static final String PROXY = "http://127.0.0.1:" + PORT;

    static final Map<String, String> VARIABLES =
            Map.of(
                    "http_proxy", PROXY,
                    "https_proxy", PROXY,
                    "HTTP_PROXY", PROXY,
                    "HTTPS_PROXY", PROXY);

    /** Listens at the address of the variables, then executes the command that follows. */
    static final List<String> WRAPPER =
            List.of(
                    "/usr/bin/perl",
                    BubblewrapArguments.EGRESS_FORWARDER,
                    PORT,
                    BubblewrapArguments.EGRESS_SOCKET);

    private EgressEnvironment() {}

    static Path writeForwarder(Path directory) throws IOException {
        Path script = directory.resolve("egress.pl");
        try (InputStream resource =
                Objects.requireNonNull(EgressEnvironment.class.getResourceAsStream("egress.pl"))) {
            Files.copy(resource, script);
        }
        Files.setPosixFilePermissions(script, BubblewrapArguments.READABLE);
        return script;
    }
}
