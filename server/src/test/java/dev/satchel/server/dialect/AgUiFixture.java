package dev.satchel.server.dialect;

import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestServer;
import java.net.URI;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import tools.jackson.databind.JsonNode;

/** The real {@code HttpAgent} of AG-UI against a real server. */
abstract class AgUiFixture {
    final String thread = UUID.randomUUID().toString();
    ScriptedSandbox sandbox;
    TestServer server;

    @BeforeEach
    void start() throws Exception {
        sandbox = new ScriptedSandbox();
        server = server(sandbox.url());
    }

    /** Without models, unless a test needs one. */
    TestServer server(URI runner) throws Exception {
        return TestServer.start(runner);
    }

    @AfterEach
    void stop() {
        server.close();
        sandbox.close();
    }

    NodeClient agent() throws Exception {
        return NodeClient.start("ag-ui.mjs", server.url("").toString(), TestServer.KEY, thread);
    }

    static JsonNode settled(NodeClient agent) throws Exception {
        return agent.await("it has settled", report -> report.has("settled")).get("messages");
    }

    static boolean event(JsonNode report, String type) {
        return report.at("/event/type").stringValue("").equals(type);
    }

    static String outcome(NodeClient agent) {
        return agent.seen().stream()
                .filter(report -> event(report, "RUN_FINISHED"))
                .map(report -> report.at("/event/outcome/type").stringValue())
                .reduce((_, last) -> last)
                .orElseThrow();
    }

    static JsonNode custom(NodeClient agent, String name) {
        return agent.seen().stream()
                .filter(report -> event(report, "CUSTOM"))
                .filter(report -> report.at("/event/name").stringValue("").equals(name))
                .map(report -> report.at("/event/value"))
                .findFirst()
                .orElseThrow();
    }

    static List<String> summary(JsonNode messages) {
        return messages.valueStream()
                .map(
                        message -> {
                            String role = message.get("role").stringValue();
                            return message.has("toolCalls")
                                    ? role
                                            + message.get("toolCalls")
                                                    .valueStream()
                                                    .map(
                                                            call ->
                                                                    call.at("/function/name")
                                                                            .stringValue())
                                                    .toList()
                                                    .toString()
                                                    .replace(" ", "")
                                    : role + ":" + message.get("content").stringValue();
                        })
                .toList();
    }
}
