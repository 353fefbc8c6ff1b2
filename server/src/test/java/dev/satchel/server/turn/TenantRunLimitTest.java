package dev.satchel.server.turn;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A tenant that floods the server does not take every sandbox. */
class TenantRunLimitTest {
    @Test
    void aTenantHasOnlySoManyTurnsAtATime(@TempDir Path data) throws Exception {
        try (ScriptedSandbox sandbox = new ScriptedSandbox();
                TestServer server =
                        TestServer.start(
                                TestConfiguration.withTenantRuns(
                                        TestServer.configuration(data, null, sandbox.url()), 1),
                                Clock.systemUTC())) {
            try (Events first = server.turn(Map.of("message", "one"))) {
                ScriptedSandbox.RunOnStage running = sandbox.next();
                try (Events second = server.turn(Map.of("message", "two"))) {
                    assertThat(second.status()).isEqualTo(429);
                    assertThat(new String(second.response().body().readAllBytes(), UTF_8))
                            .contains("\"code\":\"too_many_runs\"")
                            .contains("1 turns and runs of this workspace are running");
                }
                running.answers("done");
                first.rest();
            }
            try (Events third = server.turn(Map.of("message", "three"))) {
                sandbox.next().answers("done");
                assertThat(third.status()).isEqualTo(200);
                third.rest();
            }
        }
    }
}
