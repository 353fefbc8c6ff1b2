package dev.satchel.server.application;

import dev.satchel.runner.RunnerConfiguration;
import dev.satchel.runner.RunnerServer;
import dev.satchel.runner.sandbox.setup.SandboxSetup;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;

/**
 * A runner in this process. The server calls it over loopback like any other runner; a secret
 * protects it from other processes.
 */
final class EmbeddedRunner implements AutoCloseable {
    private final RunnerServer server;

    private EmbeddedRunner(RunnerServer server) {
        this.server = server;
    }

    /**
     * @throws dev.satchel.runner.sandbox.SandboxUnavailableException when commands cannot be
     *     isolated on this machine
     */
    static EmbeddedRunner start(Map<String, String> variables, Path data, String secret)
            throws StartException {
        try {
            RunnerServer server =
                    new RunnerServer(
                            RunnerConfiguration.embedded(variables, data, secret),
                            SandboxSetup.detect(variables));
            server.start();
            return new EmbeddedRunner(server);
        } catch (IOException e) {
            throw new StartException("cannot start a runner: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartException("interrupted while starting a runner", e);
        }
    }

    boolean limitsRuns() {
        return server.limitsRuns();
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + server.port());
    }

    @Override
    public void close() {
        server.close();
    }
}
