package dev.satchel.server.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.command.ProcessTest;
import dev.satchel.server.testing.FreePort;
import dev.satchel.server.testing.ScriptedModel;
import dev.satchel.server.testing.ServerProcess;
import dev.satchel.server.testing.TestServer.Events;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs in a runner of its own process that is killed, alone and together with its server. */
@Timeout(180)
class LostRunnerTest extends ContinuedRunFixture {
    private int port;
    private Process runner;

    @BeforeEach
    void startRunner() throws IOException {
        port = FreePort.find();
        launch();
    }

    @AfterEach
    void stopRunner() {
        kill();
    }

    @Test
    void aRunContinuesInTheNextRunner() throws Exception {
        try (ServerProcess server = server(remote());
                Events events = server.turn("hello")) {
            model.next().calls("sh", Map.of("command", EFFECT)).ends();
            ScriptedModel.Call _ = model.next();
            read(events, "step");
            kill();
            launch();
            finish();
            readToEnd(events);
        }
        requireOneEffect();
    }

    @Test
    void aRunContinuesWhenServerAndRunnerAreBothKilled() throws Exception {
        try (ServerProcess server = server(remote());
                Events events = server.turn("hello")) {
            model.next().calls("sh", Map.of("command", EFFECT)).ends();
            ScriptedModel.Call _ = model.next();
            read(events, "step");
            server.kill();
            kill();
            readToBreak(events);
        }
        launch();
        try (ServerProcess server = server(remote());
                Events events = follow(server)) {
            finish();
            readToEnd(events);
        }
        requireOneEffect();
    }

    /** The model reads what the command has left, and ends the turn. */
    private void finish() throws Exception {
        ScriptedModel.Call next = model.next();
        assertThat(next.request().toString())
                .contains("tool_result")
                .doesNotContain("may have had effects");
        next.calls("sh", Map.of("command", "cat effects.txt")).ends();
        ScriptedModel.Call last = model.next();
        String messages = last.request().get("messages").toString();
        assertThat(messages.substring(messages.lastIndexOf("tool_result")))
                .containsOnlyOnce("done");
        last.says("Fine.").ends();
    }

    private void requireOneEffect() throws Exception {
        assertThat(last("end").get("status").stringValue()).isEqualTo("succeeded");
        assertThat(count("resumed")).isEqualTo(1);
        assertThat(steps()).containsExactly("running", "succeeded", "running", "succeeded");
        requireNumbersInOrder();
    }

    private Map<String, String> remote() {
        return Map.of("SANDBOX_URL", "http://127.0.0.1:" + port);
    }

    private void launch() throws IOException {
        Map<String, String> variables = new HashMap<>(model.settings(folder));
        variables.put("SATCHEL_PRIVATE_HOSTS", "127.0.0.1");
        runner =
                ProcessTest.satchel(
                        variables,
                        "runner",
                        "--port",
                        Integer.toString(port),
                        "--data",
                        folder.resolve("runner").toString());
        BufferedReader log = runner.errorReader();
        String line = log.readLine();
        while (line != null && !line.contains("runner listens")) {
            line = log.readLine();
        }
        assertThat(line).as("the runner starts").isNotNull();
        Thread.ofVirtual().start(() -> log.lines().forEach(_ -> {})); // a full pipe would stop it
    }

    private void kill() {
        runner.destroyForcibly().onExit().join();
    }
}
