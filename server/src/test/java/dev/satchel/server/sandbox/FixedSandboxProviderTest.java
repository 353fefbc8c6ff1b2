package dev.satchel.server.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.runner.RunnerConfiguration;
import dev.satchel.runner.RunnerServer;
import dev.satchel.runner.sandbox.setup.SandboxSetup;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One runner for all, as {@code SANDBOX_URL} names it and as a server has it in its own process.
 */
class FixedSandboxProviderTest extends SandboxProviderContract {
    private static final String SECRET = "shared";

    @TempDir Path data;
    private RunnerServer runner;

    @BeforeEach
    void start() throws Exception {
        runner =
                new RunnerServer(
                        RunnerConfiguration.embedded(Map.of(), data, SECRET),
                        SandboxSetup.detect(Map.of("SATCHEL_SANDBOX", "unsafe")));
        runner.start();
    }

    @AfterEach
    void stop() {
        runner.close();
    }

    @Override
    protected SandboxProvider sandboxes() {
        return new FixedSandboxProvider(url(), SECRET);
    }

    @Test
    void itOutlivesItsRuns() throws Exception {
        RunningSandbox sandbox = sandboxes().launch(order());
        sandbox.close();
        sandboxes().reap(_ -> false);

        assertThat(dispatch(sandbox.url(), sandbox.secret())).isEqualTo(400);
    }

    @Test
    void nobodyThereIsAProblem() {
        SandboxProvider sandboxes = sandboxes();
        runner.close();

        assertThatThrownBy(sandboxes::probe).isInstanceOf(IOException.class);
    }

    private URI url() {
        return URI.create("http://127.0.0.1:" + runner.port());
    }
}
