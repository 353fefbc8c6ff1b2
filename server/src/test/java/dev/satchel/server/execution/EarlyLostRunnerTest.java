package dev.satchel.server.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Dispatch;
import dev.satchel.server.testing.SandboxCalls;
import dev.satchel.server.testing.ScriptedModel;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.ServerProcess;
import dev.satchel.server.testing.TestServer.Events;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A runner that is lost at the beginning of a run with a model, or comes back behind a proxy. */
@Timeout(120)
class EarlyLostRunnerTest {
    private final ScriptedSandbox sandbox;
    private final SandboxCalls runner = new SandboxCalls();
    private ServerProcess server;
    private ScriptedModel model;

    EarlyLostRunnerTest() throws Exception {
        sandbox = new ScriptedSandbox();
    }

    @BeforeEach
    void start(@TempDir Path folder) throws IOException {
        model = new ScriptedModel();
        Map<String, String> settings = new HashMap<>(model.settings(folder));
        settings.put("SANDBOX_URL", sandbox.url().toString());
        server = ServerProcess.start(folder.resolve("data"), settings);
    }

    @AfterEach
    void stop() {
        server.close();
        sandbox.close();
        model.close();
        runner.close();
    }

    @Test
    void continuedRunWaitsWhileAProxyAnswersForItsRunner() throws Exception {
        try (Events events = server.turn("hello")) {
            RunOnStage first = sandbox.next();
            first.say("{\"type\":\"journal\",\"n\":1,\"entry\":\"{}\"}").hangsUp();
            sandbox.next().refuses(502);
            sandbox.next().refuses(503);
            sandbox.next().refuses(504);
            requireContinued(events);
        }
    }

    @Test
    void runIsContinuedWhenItsRunnerHasOnlyFetchedVariables() throws Exception {
        try (Events events = server.turn("hello")) {
            RunOnStage first = sandbox.next();
            fetch(first.dispatch(), "/env", first.dispatch().otpSetup());
            first.hangsUp();
            requireContinued(events);
        }
    }

    @Test
    void runIsNotRepeatedWhenARunnerWithoutAJournalHasFetchedItsTask() throws Exception {
        try (Events events = server.turn("hello")) {
            RunOnStage first = sandbox.next();
            fetch(first.dispatch(), "/env", first.dispatch().otpSetup());
            fetch(first.dispatch(), "/config", first.dispatch().otpRun());
            first.hangsUp();
            assertThat(status(events)).isEqualTo("failed");
            assertThat(sandbox.nothingDispatched()).isTrue();
        }
    }

    private void requireContinued(Events events) throws Exception {
        RunOnStage again = sandbox.next();
        assertThat(again.dispatch().continued())
                .extracting(Dispatch.Continued::attempt)
                .isEqualTo(2);
        again.answers("Fine.");
        assertThat(status(events)).isEqualTo("succeeded");
    }

    private void fetch(Dispatch dispatch, String path, String token) throws Exception {
        assertThat(runner.get(dispatch, path, token).statusCode()).isEqualTo(200);
    }

    private static String status(Events events) throws IOException {
        return events.rest().getLast().data().get("status").stringValue();
    }
}
