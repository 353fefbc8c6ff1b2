package dev.satchel.server.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.ScriptedModel;
import dev.satchel.server.testing.ServerProcess;
import dev.satchel.server.testing.TestServer.Events;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** An agent that names its tools has no others, with a real runner and a model that tries. */
@Timeout(120)
class AllowedToolsTest {
    @TempDir Path folder;
    private ScriptedModel model;

    @BeforeEach
    void start() throws IOException {
        model = new ScriptedModel();
    }

    @AfterEach
    void stop() {
        model.close();
    }

    @Test
    void theModelSeesTheToolsOfTheAgentAndCannotCallOthers() throws Exception {
        try (ServerProcess server =
                ServerProcess.start(folder.resolve("data"), model.settings(folder))) {
            String agent = agent(server, "{\"name\":\"a\",\"tools\":[\"view\",\"list_assets\"]}");
            try (Events events = server.turn(Map.of("message", "hello", "agentId", agent))) {
                ScriptedModel.Call first = model.next();
                assertThat(offered(first)).containsExactly("view", "list_assets");
                first.calls("sh", Map.of("command", "echo escaped")).ends();
                model.next().says("I could not.").ends();
                List<Events.Event> all = events.rest();

                assertThat(all)
                        .filteredOn(event -> event.type().equals("step"))
                        .extracting(event -> event.data().get("status").stringValue())
                        .containsExactly("running", "failed");
                assertThat(all.toString()).contains("Unknown tool sh").doesNotContain("escaped\\n");
            }
            try (Events events =
                    server.turn(
                            Map.of(
                                    "message",
                                    "hello",
                                    "agentId",
                                    agent(server, "{\"name\":\"b\"}")))) {
                ScriptedModel.Call call = model.next();
                assertThat(offered(call)).contains("sh", "list_assets", "ask_user").hasSize(9);
                call.says("Fine.").ends();
                events.rest();
            }
        }
    }

    private static List<String> offered(ScriptedModel.Call call) {
        return call.request()
                .get("tools")
                .valueStream()
                .map(tool -> tool.get("name").stringValue())
                .toList();
    }

    private static String agent(ServerProcess server, String body) throws Exception {
        JsonNode made = Json.MAPPER.readTree(server.send("POST", "/api/agents", body).body());
        return made.get("id").stringValue();
    }
}
