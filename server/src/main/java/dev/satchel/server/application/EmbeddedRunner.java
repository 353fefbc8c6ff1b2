package dev.satchel.server.application;

import dev.satchel.runner.RunnerConfiguration;
import dev.satchel.runner.RunnerServer;
import dev.satchel.runner.sandbox.SandboxSetup;
import dev.satchel.runner.sandbox.SandboxUnavailableException;
import dev.satchel.server.sandbox.FixedSandboxes;
import dev.satchel.server.sandbox.Sandboxes;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;

/**
 * A runner of our own in this process. It is talked to over loopback like any other, so one way
 * serves both; a secret made at each start keeps everybody else out.
 */
final class EmbeddedRunner implements AutoCloseable {
    private final RunnerServer server;
    private final String secret;

    private EmbeddedRunner(RunnerServer server, String secret) {
        this.server = server;
        this.secret = secret;
    }

    static EmbeddedRunner start(Map<String, String> variables, Path data) throws StartException {
        byte[] random = new byte[32];
        new SecureRandom().nextBytes(random);
        String secret = HexFormat.of().formatHex(random);
        try {
            RunnerServer server =
                    new RunnerServer(
                            RunnerConfiguration.embedded(variables, data, secret),
                            SandboxSetup.detect(variables));
            server.start();
            return new EmbeddedRunner(server, secret);
        } catch (SandboxUnavailableException e) {
            throw new StartException(
                    e.getMessage() + "; or name a runner elsewhere with SANDBOX_URL", e);
        } catch (IOException e) {
            throw new StartException("cannot start a runner: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartException("interrupted while starting a runner", e);
        }
    }

    Sandboxes sandboxes() {
        return new FixedSandboxes(URI.create("http://127.0.0.1:" + server.port()), secret);
    }

    @Override
    public void close() {
        server.close();
    }
}
