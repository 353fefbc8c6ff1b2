package dev.satchel.server.testing;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import tools.jackson.databind.JsonNode;

/** What an agent writes that asks people, and what it reads when it is continued. */
public final class AskScript {
    public static final String APPROVAL =
            "{\"type\":\"ask\",\"id\":\"call_1_0\",\"kind\":\"approval\",\"tool\":\"sh\","
                    + "\"args\":{\"command\":\"rm -r build\"},\"ts\":5}";
    public static final String QUESTION =
            "{\"type\":\"ask\",\"id\":\"call_1_1\",\"kind\":\"question\",\"tool\":\"ask_user\","
                    + "\"args\":{\"question\":\"Which year?\"},\"question\":\"Which year?\","
                    + "\"options\":[\"2025\",\"2026\"],\"ts\":6}";

    private AskScript() {}

    /** The agent says something, asks this and ends its attempt. */
    public static void asks(RunOnStage run, String... asks) {
        run.say("{\"type\":\"journal\",\"n\":1,\"entry\":\"{}\"}");
        run.say("{\"type\":\"delta\",\"text\":\"I clean up.\"}");
        for (String ask : asks) {
            run.say(ask);
        }
        run.say("{\"type\":\"parked\",\"ts\":7}").hangsUp();
    }

    /** The answers that the next attempt finds in its configuration. */
    public static JsonNode answers(RunOnStage run) throws Exception {
        try (SandboxCalls calls = new SandboxCalls()) {
            String config = calls.get(run.dispatch(), "/config", run.dispatch().otpRun()).body();
            return Json.MAPPER.readTree(config).get("answers");
        }
    }
}
