package dev.satchel.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.ServerProcess;
import dev.satchel.server.testing.TestServer.Events;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server that receives SIGTERM during a turn. */
@Timeout(120)
class DrainTest {
    private static final int AFTER_SIGTERM = 143;

    @Test
    void theTurnEndsWhileNewOnesAreRefused(@TempDir Path data) throws Exception {
        try (ScriptedSandbox sandbox = new ScriptedSandbox();
                ServerProcess server = start(data, sandbox, "100");
                Events events = server.turn("hello")) {
            events.next();
            RunOnStage run = sandbox.next();
            assertThat(server.send("GET", "/readyz", "").statusCode()).isEqualTo(200);

            server.terminate();
            while (server.send("GET", "/readyz", "").statusCode() == 200) {
                Thread.onSpinWait();
            }

            assertThat(server.send("GET", "/readyz", "").body())
                    .startsWith("{\"status\":\"shutting_down\"");
            HttpResponse<String> refused =
                    server.send("POST", "/api/assistant/chat/stream", "{\"message\":\"new\"}");
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.body()).contains("\"code\":\"shutting_down\"");
            run.answers("in time");
            assertThat(events.rest().getLast().data().get("status").stringValue())
                    .isEqualTo("succeeded");
            assertThat(server.exitCode()).isEqualTo(AFTER_SIGTERM);
        }
    }

    @Test
    void aTurnThatTakesTooLongIsInterrupted(@TempDir Path data) throws Exception {
        try (ScriptedSandbox sandbox = new ScriptedSandbox();
                ServerProcess server = start(data, sandbox, "1");
                Events events = server.turn("hello")) {
            events.next();
            sandbox.next();

            server.terminate();

            assertThat(events.rest().getLast().data().get("status").stringValue())
                    .isEqualTo("interrupted");
            assertThat(server.exitCode()).isEqualTo(AFTER_SIGTERM);
        }
    }

    private static ServerProcess start(Path data, ScriptedSandbox sandbox, String seconds)
            throws Exception {
        return ServerProcess.start(
                data,
                Map.of("SANDBOX_URL", sandbox.url().toString(), "SATCHEL_DRAIN_SECONDS", seconds));
    }
}
