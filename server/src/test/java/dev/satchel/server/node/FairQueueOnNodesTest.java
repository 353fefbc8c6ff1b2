package dev.satchel.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.limit.LimitDefaults;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import dev.satchel.server.testing.TestServer.Events.Event;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A run that waits on one server starts on whichever has a free place. */
class FairQueueOnNodesTest {
    @Test
    void anotherServerStartsTheRunThatWaitsOnAFullOne() throws Exception {
        LimitDefaults onePlace = LimitDefaults.NONE.withMaxRuns(1);
        try (ScriptedSandbox sandboxes = new ScriptedSandbox();
                ScriptedSandbox others = new ScriptedSandbox();
                TestNodes nodes = new TestNodes();
                TestServer one = nodes.start(TestConfiguration.remote(sandboxes.url()), onePlace);
                Events first = one.turn(Map.of("message", "first"));
                Events second = one.turn(Map.of("message", "second"))) {
            RunOnStage running = sandboxes.next();
            assertThat(second.next().orElseThrow().type()).isEqualTo("chat");
            assertThat(second.next().orElseThrow().type()).isEqualTo("queued");

            try (TestServer _ = nodes.start(TestConfiguration.remote(others.url()), onePlace)) {
                RunOnStage elsewhere = others.next();
                assertThat(elsewhere.dispatch().prompt()).isEqualTo("second");
                elsewhere.answers("2");
                assertThat(second.rest()).extracting(Event::type).contains("result", "end");
                running.answers("1");
                first.rest();
                assertThat(sandboxes.nothingDispatched()).isTrue();
            }
        }
    }
}
