package dev.satchel.server.skill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.AskScript;
import dev.satchel.server.testing.SandboxCalls;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A run that is continued uses the skills with which it started. */
class ContinuedSkillRunTest {
    private ScriptedSandbox sandbox;
    private TestServer server;

    @BeforeEach
    void start() throws Exception {
        sandbox = new ScriptedSandbox();
        server = TestServer.startWithModel(sandbox.url());
    }

    @AfterEach
    void stop() {
        server.close();
        sandbox.close();
    }

    @Test
    void theVersionStaysAlsoWhenTheSkillWasChangedAndDeletedMeanwhile() throws Exception {
        upload("echo 1");
        JsonNode agent =
                TestSkills.json(
                        server.post(
                                "/api/agents",
                                Map.of("name", "writer", "skills", List.of("report"))));
        String agentId = agent.get("id").stringValue();
        String run;
        try (Events events = server.turn(Map.of("message", "clean up", "agentId", agentId))) {
            AskScript.asks(sandbox.next(), AskScript.APPROVAL);
            run = events.rest().getFirst().data().get("runId").stringValue();
        }
        upload("echo 2");
        server.send("PUT", "/api/agents/" + agentId, Map.of("name", "writer"));
        assertThat(server.send("DELETE", "/api/skills/report", "").statusCode()).isEqualTo(204);
        server.sweep();

        server.post(
                "/api/runs/" + run + "/answers",
                Map.of("answers", List.of(Map.of("askId", "call_1_0", "decision", "allow"))));
        RunOnStage next = sandbox.next();
        try (SandboxCalls calls = new SandboxCalls()) {
            String token = next.dispatch().otpRun();
            JsonNode config =
                    Json.MAPPER.readTree(calls.get(next.dispatch(), "/config", token).body());
            assertThat(config.at("/skills/0/version").asLong()).isEqualTo(1);
            assertThat(calls.get(next.dispatch(), "/skills/report", token).body())
                    .contains("echo 1");
        }
        next.answers("done");
    }

    private void upload(String script) throws Exception {
        byte[] archive = TestSkills.zip(TestSkills.skill("report", script));
        assertThat(TestSkills.upload(server, archive).statusCode()).isEqualTo(201);
    }
}
