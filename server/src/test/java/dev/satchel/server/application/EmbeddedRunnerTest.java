package dev.satchel.server.application;

import dev.satchel.server.sandbox.Sandboxes;
import dev.satchel.server.sandbox.SandboxesContract;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The runner that a server has in its own process, with real sandboxes. */
class EmbeddedRunnerTest extends SandboxesContract {
    @TempDir Path data;
    private StartingRunner runner;

    @BeforeEach
    void start() {
        runner = new StartingRunner(Map.of("PATH", System.getenv("PATH")), data);
    }

    @AfterEach
    void stop() {
        runner.close();
    }

    @Override
    protected Sandboxes sandboxes() {
        return runner.sandboxes();
    }
}
