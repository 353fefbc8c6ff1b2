package dev.satchel.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestServer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The runs of a session as events and as logs. */
class SessionTimelineTest {
    private SharedDisk disk;
    private String session;

    @BeforeEach
    void start() throws Exception {
        disk = SharedDisk.start();
        session = disk.create();
    }

    @AfterEach
    void stop() {
        disk.close();
    }

    @Test
    void stepsAnswersAndErrorsAreEventsInTheirOrder() throws Exception {
        turn(
                "{\"type\":\"log\",\"level\":\"info\",\"message\":\"begins\",\"ts\":1700000000000}",
                "{\"type\":\"step\",\"id\":\"s1\",\"name\":\"sh\",\"status\":\"running\",\"args\":{\"command\":\"ls\"},\"ts\":1700000000001}",
                "{\"type\":\"step\",\"id\":\"s1\",\"name\":\"sh\",\"status\":\"succeeded\",\"result\":\"a.txt\",\"ts\":1700000000002}",
                "{\"type\":\"result\",\"message\":\"done\",\"ts\":1700000000003}");
        turn("{\"type\":\"error\",\"code\":\"broken\",\"message\":\"it broke\"}");

        List<JsonNode> events = events("");
        assertThat(events)
                .extracting(event -> event.get("type").stringValue())
                .containsExactly("tool_start", "tool_result", "text", "turn_complete", "error");
        JsonNode first = events.getFirst();
        assertThat(first.propertyNames())
                .containsExactly(
                        "id", "sessionId", "tenantId", "type", "data", "sequence", "createdAt");
        assertThat(first.get("createdAt").stringValue()).isEqualTo("2023-11-14T22:13:20.001Z");
        assertThat(Json.MAPPER.readTree(first.get("data").stringValue()).toString())
                .isEqualTo(
                        "{\"toolName\":\"sh\",\"toolId\":\"s1\",\"input\":{\"command\":\"ls\"}}");
        assertThat(events.getLast().get("data").stringValue())
                .isEqualTo("{\"error\":\"it broke\"}");
        assertThat(events("?type=text")).hasSize(1);
        assertThat(disk.server().get(path("events?type=noise")).statusCode()).isEqualTo(400);
    }

    @Test
    void theEndOfATurnNamesFilesThatAreNotHandedOver() throws Exception {
        turn(
                "{\"type\":\"result\",\"message\":\"done\",\"notHandedOver\":[{\"path\":\"assets/a\",\"size\":1,\"reason\":\"full\"}]}");

        assertThat(events("?type=turn_complete").getFirst().get("data").stringValue())
                .isEqualTo(
                        "{\"result\":\"done\",\"notHandedOver\":[{\"path\":\"assets/a\",\"size\":1,\"reason\":\"full\"}]}");
        assertThat(disk.server().get(path("messages")).body()).contains("notHandedOver");
    }

    @Test
    void thoughtsOutputAndRetriesAreEventsOrLogs() throws Exception {
        turn(
                "{\"type\":\"thinking\",\"text\":\"hm\"}",
                "{\"type\":\"retry\",\"attempt\":1,\"delayMs\":4000,\"code\":\"model_rate_limited\",\"message\":\"busy\",\"model\":\"spare\"}",
                "{\"type\":\"usage\",\"model\":\"m\",\"provider\":\"p\",\"inputTokens\":1,\"outputTokens\":2,\"cacheReadTokens\":3,\"cacheWriteTokens\":4}",
                "{\"type\":\"step\",\"id\":\"s1\",\"name\":\"sh\",\"status\":\"running\",\"args\":{}}",
                "{\"type\":\"output\",\"id\":\"s1\",\"stream\":\"stdout\",\"text\":\"out\"}",
                "{\"type\":\"output\",\"id\":\"s1\",\"stream\":\"stderr\",\"text\":\"err\"}",
                "{\"type\":\"step\",\"id\":\"s1\",\"name\":\"sh\",\"status\":\"succeeded\",\"result\":\"out\"}",
                "{\"type\":\"result\",\"message\":\"done\"}");

        assertThat(events(""))
                .extracting(event -> event.get("type").stringValue())
                .containsExactly(
                        "reasoning",
                        "lifecycle",
                        "tool_start",
                        "tool_result",
                        "text",
                        "turn_complete");
        assertThat(events("?type=lifecycle").getFirst().get("data").stringValue())
                .isEqualTo(
                        "{\"action\":\"retry\",\"attempt\":1,\"delayMs\":4000,\"code\":\"model_rate_limited\",\"message\":\"busy\",\"model\":\"spare\"}");
        assertThat(events("?type=turn_complete").getFirst().get("data").stringValue())
                .contains("\"inputTokens\":1,\"outputTokens\":2");
        List<String> logs = new ArrayList<>();
        disk.server()
                .getJson(path("logs"))
                .get("logs")
                .forEach(
                        log ->
                                logs.add(
                                        log.get("level").stringValue()
                                                + " "
                                                + log.get("text").stringValue()));
        assertThat(logs).containsExactly("system busy", "stdout out", "stderr err");
    }

    @Test
    void aReaderContinuesAfterTheLastEvent() throws Exception {
        for (int i = 0; i < 3; i++) {
            turn("{\"type\":\"result\",\"message\":\"answer " + i + "\"}");
        }
        List<JsonNode> all = events("");
        List<JsonNode> read = new ArrayList<>();
        for (List<JsonNode> page = events("?limit=1"); !page.isEmpty(); ) {
            read.addAll(page);
            page = events("?limit=1&after=" + read.getLast().get("sequence"));
        }

        assertThat(all).hasSize(6);
        assertThat(read).isEqualTo(all);
    }

    @Test
    void logsHaveTheirPositions() throws Exception {
        turn(
                "{\"type\":\"log\",\"level\":\"info\",\"message\":\"begins\",\"ts\":1700000000000}",
                "{\"type\":\"log\",\"level\":\"warn\",\"message\":\"goes"
                        + " on\",\"ts\":1700000000001}",
                "{\"type\":\"error\",\"code\":\"broken\",\"message\":\"it broke\"}");

        JsonNode logs = disk.server().getJson(path("logs")).get("logs");
        assertThat(logs.get(0).toString())
                .matches(
                        "\\{\"index\":\\d+,\"level\":\"system\",\"text\":\"begins\","
                                + "\"ts\":\"2023-11-14T22:13:20.000Z\"}");
        assertThat(logs.get(2).get("level").stringValue()).isEqualTo("stderr");
        JsonNode later = disk.server().getJson(path("logs?after=" + logs.get(0).get("index")));
        assertThat(later.get("logs").get(0).get("text").stringValue()).isEqualTo("goes on");
        assertThat(later.get("source").stringValue()).isEqualTo("sandbox");
        assertThat(disk.server().getJson(path("logs?after=-1")).get("logs").get(0))
                .isEqualTo(logs.get(0));
        assertThat(disk.server().get(path("logs?after=-2")).statusCode()).isEqualTo(400);
    }

    private void turn(String... lines) throws Exception {
        try (TestServer.Events events = disk.send(session, "go")) {
            ScriptedSandbox.RunOnStage run = disk.sandbox().next();
            for (String line : lines) {
                run.say(line);
            }
            run.hangsUp();
            while (events.line().isPresent()) {}
        }
    }

    private List<JsonNode> events(String query) throws Exception {
        List<JsonNode> events = new ArrayList<>();
        disk.server().getJson(path("events" + query)).get("events").forEach(events::add);
        return events;
    }

    private String path(String what) {
        return "/api/sessions/" + session + "/" + what;
    }
}
