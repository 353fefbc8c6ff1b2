package dev.satchel.server.skill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Dispatch;
import dev.satchel.protocol.Json;
import dev.satchel.server.testing.SandboxCalls;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.ScriptedTest;
import dev.satchel.server.testing.TestServer.Events;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Which skills a run can read with its token, and in which versions. */
class RunSkillRoutesTest extends ScriptedTest {
    @Test
    void aRunReadsTheSkillsOfItsAgentInTheVersionsWithWhichItStarted() throws Exception {
        for (String name : List.of("report", "other")) {
            upload(name, "echo 1");
        }
        String agent = agent("report");

        try (SandboxCalls calls = new SandboxCalls();
                Events events = server.turn(Map.of("message", "hello", "agentId", agent))) {
            RunOnStage run = sandbox.next();
            Dispatch dispatch = run.dispatch();
            String token = dispatch.otpRun();
            assertThat(calls.get(dispatch, "/skills/report", token).statusCode())
                    .as("before the token was used")
                    .isEqualTo(401);
            upload("report", "echo 2");
            calls.get(dispatch, "/env", dispatch.otpSetup());
            JsonNode config = Json.MAPPER.readTree(calls.get(dispatch, "/config", token).body());

            assertThat(config.at("/skills")).hasSize(1);
            assertThat(config.at("/skills/0/name").stringValue()).isEqualTo("report");
            assertThat(config.at("/skills/0/version").asLong()).isEqualTo(1);
            assertThat(config.at("/skills/0/files").asInt()).isEqualTo(2);
            HttpResponse<String> archive = calls.get(dispatch, "/skills/report", token);
            assertThat(archive.body()).contains("echo 1").doesNotContain("echo 2");
            for (String foreign : List.of("other", "none", "UPPER")) {
                assertThat(calls.get(dispatch, "/skills/" + foreign, token).statusCode())
                        .as(foreign)
                        .isEqualTo(404);
            }
            assertThat(calls.get(dispatch, "/skills/report", "wrong").statusCode()).isEqualTo(401);

            server.send("PUT", "/api/agents/" + agent, Map.of("name", "helper"));
            assertThat(server.send("DELETE", "/api/skills/report", "").statusCode()).isEqualTo(204);
            assertThat(calls.get(dispatch, "/skills/report", token).statusCode())
                    .as("a run that has started keeps its skill")
                    .isEqualTo(200);
            run.answers("done");
            Events.Event first = events.rest().getFirst();
            assertThat(first.data().get("skills").toString())
                    .isEqualTo("[{\"name\":\"report\",\"version\":1,\"builtIn\":false}]");
            String id = first.data().get("runId").stringValue();
            assertThat(server.getJson("/api/runs/" + id).at("/skills/0/version").asLong())
                    .isEqualTo(1);
            assertThat(calls.get(dispatch, "/skills/report", token).statusCode()).isEqualTo(401);
        }
    }

    @Test
    void theNextRunUsesTheNewestVersion() throws Exception {
        upload("report", "echo 1");
        String agent = agent("report");
        upload("report", "echo 2");

        try (Events events = server.turn(Map.of("message", "hello", "agentId", agent))) {
            sandbox.next().answers("done");
            assertThat(events.rest().getFirst().data().at("/skills/0/version").asLong())
                    .isEqualTo(2);
        }
    }

    private void upload(String name, String script) throws Exception {
        HttpResponse<String> stored =
                TestSkills.upload(server, TestSkills.zip(TestSkills.skill(name, script)));
        assertThat(stored.statusCode()).isEqualTo(201);
    }

    private String agent(String skill) throws Exception {
        HttpResponse<String> created =
                server.post("/api/agents", Map.of("name", "helper", "skills", List.of(skill)));
        return Json.MAPPER.readTree(created.body()).get("id").stringValue();
    }
}
