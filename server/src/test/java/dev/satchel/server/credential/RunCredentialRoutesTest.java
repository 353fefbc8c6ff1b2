package dev.satchel.server.credential;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Dispatch;
import dev.satchel.protocol.Json;
import dev.satchel.server.testing.SandboxCalls;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.ScriptedTest;
import dev.satchel.server.testing.TestServer.Events;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which credentials a run can read with its token. */
class RunCredentialRoutesTest extends ScriptedTest {
    @Test
    void aRunReadsTheCredentialsOfItsAgentWhileItRuns() throws Exception {
        for (String name : List.of("tracker", "header", "other")) {
            server.post("/api/credentials", Map.of("name", name, "value", "v-" + name));
        }
        Map<String, Object> tickets =
                Map.of(
                        "type", "http",
                        "url", "https://tickets.test/mcp",
                        "credential", "tracker",
                        "headers", Map.of("X-Api-Key", "secret:header"));
        String agent =
                Json.MAPPER
                        .readTree(
                                server.post(
                                                "/api/agents",
                                                Map.of(
                                                        "name",
                                                        "helper",
                                                        "mcpServers",
                                                        Map.of("tickets", tickets)))
                                        .body())
                        .get("id")
                        .stringValue();

        try (SandboxCalls calls = new SandboxCalls();
                Events events = server.turn(Map.of("message", "hello", "agentId", agent))) {
            RunOnStage run = sandbox.next();
            Dispatch dispatch = run.dispatch();
            String token = dispatch.otpRun();
            assertThat(calls.get(dispatch, "/credentials/tracker", token).statusCode())
                    .as("before the token was used")
                    .isEqualTo(401);
            calls.get(dispatch, "/env", dispatch.otpSetup());
            calls.get(dispatch, "/config", token);

            assertThat(calls.get(dispatch, "/credentials/tracker", token).body())
                    .isEqualTo("{\"value\":\"v-tracker\"}");
            assertThat(calls.get(dispatch, "/credentials/header", token).body())
                    .isEqualTo("{\"value\":\"v-header\"}");
            for (String foreign : List.of("other", "none", "UPPER")) {
                assertThat(calls.get(dispatch, "/credentials/" + foreign, token).statusCode())
                        .as(foreign)
                        .isEqualTo(404);
            }
            assertThat(calls.get(dispatch, "/credentials/tracker", "wrong").statusCode())
                    .isEqualTo(401);
            run.answers("done");
            events.rest();
            assertThat(calls.get(dispatch, "/credentials/tracker", token).statusCode())
                    .isEqualTo(401);
        }
    }
}
