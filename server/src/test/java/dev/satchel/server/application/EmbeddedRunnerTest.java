package dev.satchel.server.application;

import dev.satchel.server.sandbox.SandboxProvider;
import dev.satchel.server.sandbox.SandboxProviderContract;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The runner that a server has in its own process, with real sandboxes. */
class EmbeddedRunnerTest extends SandboxProviderContract {
    @TempDir Path data;
    private AsyncEmbeddedRunner runner;

    @BeforeEach
    void start() {
        runner = new AsyncEmbeddedRunner(Map.of("PATH", System.getenv("PATH")), data);
    }

    @AfterEach
    void stop() {
        runner.close();
    }

    @Override
    protected SandboxProvider sandboxes() {
        return runner.sandboxes();
    }
}
