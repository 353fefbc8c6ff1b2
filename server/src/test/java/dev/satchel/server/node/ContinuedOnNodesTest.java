package dev.satchel.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.testing.ScriptedModel;
import dev.satchel.server.testing.ServerProcess;
import dev.satchel.server.testing.TestServer.Events;
import dev.satchel.server.testing.TestServer.Events.Event;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs of a node that is killed or stopped are continued by another one. */
@Timeout(180)
class ContinuedOnNodesTest {
    @TempDir Path folder;

    @Test
    void aKilledNodesRunIsContinuedByAnotherWhichTellsTheModelOfLostFiles() throws Exception {
        try (TestNodes nodes = new TestNodes();
                ScriptedModel model = new ScriptedModel();
                ServerProcess first = start(nodes, model, "first");
                ServerProcess second = start(nodes, model, "second");
                Events events = first.turn("hello")) {
            String run = events.next().orElseThrow().data().get("runId").stringValue();
            model.next().calls("sh", Map.of("command", "echo x > a.txt")).ends();
            ScriptedModel.Call _ = model.next();
            first.kill();

            ScriptedModel.Call again = model.next();
            assertThat(again.request().toString())
                    .contains("tool_result")
                    .contains("files of an earlier snapshot");
            again.says("Fine.").ends();
            requireContinued(second, run);
            assertThat(model.requests()).isEqualTo(3);
        }
    }

    @Test
    void aStoppedNodesRunIsContinuedByAnotherWithItsFiles() throws Exception {
        try (TestNodes nodes = new TestNodes();
                ScriptedModel model = new ScriptedModel();
                ServerProcess first = start(nodes, model, "first");
                ServerProcess second = start(nodes, model, "second");
                Events events = first.turn("hello")) {
            String run = events.next().orElseThrow().data().get("runId").stringValue();
            model.next().calls("sh", Map.of("command", "echo kept > a.txt")).ends();
            ScriptedModel.Call reply = model.next();
            first.terminate();
            while (first.send("GET", "/readyz", "").statusCode() == 200) {
                Thread.onSpinWait();
            }
            reply.calls("sh", Map.of("command", "cat a.txt")).ends();

            ScriptedModel.Call next = model.next();
            assertThat(next.request().toString())
                    .contains("\"text\":\"kept\"")
                    .doesNotContain("files of an earlier snapshot")
                    .doesNotContain("may have had effects");
            next.says("Fine.").ends();
            requireContinued(second, run);
            assertThat(model.requests()).isEqualTo(3);
        }
    }

    private static void requireContinued(ServerProcess server, String run) throws Exception {
        try (Events events = server.follow(run, "")) {
            List<Event> all = events.rest();
            assertThat(all.getLast().data().get("status").stringValue()).isEqualTo("succeeded");
            assertThat(all.stream().filter(event -> event.type().equals("resumed"))).hasSize(1);
            assertThat(all.stream().map(Event::id)).doesNotHaveDuplicates();
        }
    }

    private ServerProcess start(TestNodes nodes, ScriptedModel model, String name)
            throws Exception {
        Map<String, String> settings =
                new HashMap<>(nodes.environment(URI.create("http://127.0.0.1:1")));
        settings.remove("SANDBOX_URL");
        settings.putAll(model.settings(folder));
        return ServerProcess.start(folder.resolve(name), settings);
    }
}
