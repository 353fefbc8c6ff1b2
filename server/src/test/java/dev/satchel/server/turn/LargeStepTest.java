package dev.satchel.server.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.ScriptedTest;
import dev.satchel.server.testing.TestServer.Events;
import dev.satchel.server.testing.TestServer.Events.Event;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Steps with large values: cut for streams and messages, whole in the trace. */
class LargeStepTest extends ScriptedTest {
    private static final int MEGABYTE = 1024 * 1024;

    @Test
    void aLargeResultIsCutForStreamAndMessageAndWholeInTheTrace() throws Exception {
        String text = "y".repeat(MEGABYTE);
        Run run = run(step("s1", "result", Json.MAPPER.valueToTree(text)));

        JsonNode shown = run.events.getFirst().data();
        assertThat(shown.get("result").stringValue())
                .hasSizeLessThan(66_000)
                .endsWith("(1048576 bytes, cut here)");
        assertThat(shown.get("truncated").booleanValue()).isTrue();
        assertThat(shown.get("originalSize").longValue()).isEqualTo(MEGABYTE);
        JsonNode stored = run.messageStep();
        assertThat(stored.get("result")).isEqualTo(shown.get("result"));
        assertThat(stored.get("truncated").booleanValue()).isTrue();
        assertThat(stored.get("originalSize").longValue()).isEqualTo(MEGABYTE);
        JsonNode traced = run.traceOf("s1").getFirst();
        assertThat(traced.get("result").stringValue()).isEqualTo(text);
        assertThat(traced.has("truncated")).isFalse();
    }

    @Test
    void anObjectStaysAnObjectWithItsSmallMembers() throws Exception {
        ObjectNode result = Json.MAPPER.createObjectNode();
        result.put("stdout", "o\n".repeat(MEGABYTE / 4)).put("exitCode", 3);
        result.putArray("paths").add("a").add("b");
        result.putObject("nested").put("text", "n".repeat(MEGABYTE)).put("kept", true);
        Run run = run(step("s1", "result", result));

        JsonNode shown = run.events.getFirst().data().get("result");
        assertThat(shown.propertyNames()).containsExactly("stdout", "exitCode", "paths", "nested");
        assertThat(shown.get("exitCode").intValue()).isEqualTo(3);
        assertThat(shown.get("paths")).isEqualTo(result.get("paths"));
        assertThat(shown.at("/nested/kept").booleanValue()).isTrue();
        assertThat(shown.get("stdout").stringValue()).startsWith("o\no\n").endsWith("cut here)");
        assertThat(shown.at("/nested/text").stringValue()).startsWith("nn").endsWith("cut here)");
        assertThat(shown.toString()).hasSizeLessThanOrEqualTo(64 * 1024);
        assertThat(run.messageStep().get("result")).isEqualTo(shown);
        assertThat(run.traceOf("s1").getFirst().get("result")).isEqualTo(result);
    }

    @Test
    void anArrayOfManyMembersKeepsTheFirst() throws Exception {
        ObjectNode args = Json.MAPPER.createObjectNode();
        for (int i = 0; i < 20_000; i++) {
            args.withArray("lines").addObject().put("line", i).put("text", "match " + i);
        }
        Run run = run(step("s1", "args", args).put("status", "running"));

        JsonNode shown = run.events.getFirst().data();
        assertThat(shown.get("args").get("lines").get(0)).isEqualTo(args.get("lines").get(0));
        assertThat(shown.get("args").toString()).hasSizeLessThanOrEqualTo(64 * 1024);
        assertThat(shown.get("truncated").booleanValue()).isTrue();
        assertThat(run.traceOf("s1").getFirst().get("args")).isEqualTo(args);
    }

    @Test
    void aValueOfFourMegabytesIsKeptWholeInAnyEncoding() throws Exception {
        String text = "\"é\n".repeat(MEGABYTE);
        ObjectNode line = step("s1", "result", Json.MAPPER.valueToTree(text));
        Run run = run(line.toString().replace("é", "\\u00e9"));

        assertThat(run.events.getFirst().data().get("originalSize").longValue())
                .isEqualTo(4 * MEGABYTE);
        assertThat(run.traceOf("s1").getFirst().get("result").stringValue()).isEqualTo(text);
    }

    @Test
    void theTraceSaysWhenItHasNotEverything() throws Exception {
        ObjectNode result = Json.MAPPER.createObjectNode().put("text", "y".repeat(5 * MEGABYTE));
        Run run = run(step("s1", "result", result));

        JsonNode traced = run.traceOf("s1").getFirst();
        assertThat(traced.get("truncated").booleanValue()).isTrue();
        assertThat(traced.get("originalSize").longValue()).isGreaterThan(5 * MEGABYTE);
        assertThat(traced.at("/result/text").stringValue())
                .hasSizeGreaterThan(4 * MEGABYTE - 100)
                .hasSizeLessThanOrEqualTo(4 * MEGABYTE);
    }

    @Test
    void aLargeDeltaAndALargeLogAreCutAndWholeInTheTrace() throws Exception {
        String text = "y".repeat(MEGABYTE);
        ObjectNode delta = Json.MAPPER.createObjectNode().put("type", "delta").put("text", text);
        ObjectNode log = Json.MAPPER.createObjectNode().put("type", "log").put("level", "info");
        Run run = run(delta, log.put("message", text));

        assertThat(run.events.getFirst().data().get("text").stringValue())
                .hasSizeLessThan(66_000)
                .endsWith("cut here)");
        assertThat(run.events.getFirst().data().get("truncated").booleanValue()).isTrue();
        assertThat(run.trace("").get(1).get("text").stringValue()).isEqualTo(text);
        assertThat(run.trace("").get(2).get("message").stringValue()).isEqualTo(text);
    }

    @Test
    void oneStepOfTheTraceCanBeReadAlone() throws Exception {
        Run run =
                run(
                        step("s1", "args", Json.MAPPER.valueToTree(1)).put("status", "running"),
                        step("s2", "args", Json.MAPPER.valueToTree(2)).put("status", "running"),
                        step("s1", "result", Json.MAPPER.valueToTree("one")));

        assertThat(run.traceOf("s1"))
                .extracting(line -> line.get("status").stringValue())
                .containsExactly("running", "succeeded");
        assertThat(run.trace("?step=s1&follow=true")).isEqualTo(run.traceOf("s1"));
        assertThat(run.traceOf("nothing")).isEmpty();
    }

    @Test
    void theTimesOfTheRunnerStayOnResultAndError() throws Exception {
        try (Events events = server.turn(Map.of("message", "hello"))) {
            String chat = events.next().orElseThrow().data().get("chatId").stringValue();
            sandbox.next()
                    .say("{\"type\":\"result\",\"message\":\"m\",\"ts\":1700000000999}")
                    .hangsUp();
            assertThat(events.rest().getFirst().data().get("ts").longValue())
                    .isEqualTo(1_700_000_000_999L);
            assertThat(server.get("/api/sessions/" + chat + "/events").body())
                    .contains("2023-11-14T22:13:20.999Z");
        }
        try (Events events = server.turn(Map.of("message", "hello"))) {
            sandbox.next()
                    .say(
                            "{\"type\":\"error\",\"code\":\"c\",\"message\":\"m\",\"ts\":1700000001000}")
                    .hangsUp();
            assertThat(events.rest().get(1).data().get("ts").longValue())
                    .isEqualTo(1_700_000_001_000L);
        }
    }

    /** A run that has ended: its events without the first, and where to read it. */
    private final class Run {
        private final String chat;
        private final String id;
        private final List<Event> events;

        Run(JsonNode started, List<Event> events) {
            this.chat = started.get("chatId").stringValue();
            this.id = started.get("runId").stringValue();
            this.events = events;
        }

        JsonNode messageStep() throws Exception {
            return server.getJson("/api/assistant/chats/" + chat).at("/messages/1/content/0");
        }

        List<JsonNode> traceOf(String step) throws Exception {
            return trace("?step=" + step);
        }

        List<JsonNode> trace(String query) throws Exception {
            return server.get("/api/runs/" + id + "/trace" + query)
                    .body()
                    .lines()
                    .map(Json.MAPPER::readTree)
                    .toList();
        }
    }

    private Run run(Object... lines) throws Exception {
        try (Events events = server.turn(Map.of("message", "hello"))) {
            JsonNode started = events.next().orElseThrow().data();
            var stage = sandbox.next();
            for (Object line : lines) {
                stage.say(line.toString());
            }
            stage.answers("done");
            return new Run(started, events.rest());
        }
    }

    private static ObjectNode step(String id, String field, JsonNode value) {
        ObjectNode step = Json.MAPPER.createObjectNode().put("type", "step").put("id", id);
        step.put("name", "dump").put("status", "succeeded");
        step.set(field, value);
        return step;
    }
}
