package dev.satchel.server.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.testing.LogLines;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.ServerProcess;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The spans that a collector receives of requests and turns. */
@Timeout(120)
class TracingTest {
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String CLIENT_SPAN = "00f067aa0ba902b7";

    @TempDir private Path data;
    private ScriptedSandbox sandbox;
    private TraceCollector collector;

    @BeforeEach
    void start() throws Exception {
        sandbox = new ScriptedSandbox();
        collector = new TraceCollector();
    }

    @AfterEach
    void stop() {
        collector.close();
        sandbox.close();
    }

    @Test
    void aTurnIsOneTraceWithItsCallsStepsAndSnapshot() throws Exception {
        try (TestServer server = TestServer.start(traced(), Clock.systemUTC())) {
            Optional<String> given;
            try (Events events = server.events(turn(server, TRACE + "-" + CLIENT_SPAN + "-01"))) {
                RunOnStage run = sandbox.next();
                given = run.traceparent();
                run.say(
                                "{\"type\":\"usage\",\"model\":\"deep\",\"provider\":\"anthropic\",\"inputTokens\":100,"
                                        + "\"outputTokens\":10,\"cacheReadTokens\":4,\"cacheWriteTokens\":2}")
                        .stepStarts("s1", "bash")
                        .stepSucceeds("s1", "bash")
                        .answers("secret words");
                assertThat(events.rest()).isNotEmpty();
            }
            List<JsonNode> spans = collector.until(span -> isNamed(span, "turn"));
            if (spans.stream().noneMatch(it -> name(it).endsWith("/chat/stream"))) {
                spans.addAll(collector.until(it -> name(it).endsWith("/chat/stream")));
            }

            JsonNode request = only(spans, "POST /api/assistant/chat/stream");
            JsonNode turn = only(spans, "turn");
            assertThat(spans).allMatch(span -> text(span, "traceId").equals(TRACE));
            assertThat(text(request, "parentSpanId")).isEqualTo(CLIENT_SPAN);
            assertThat(request.get("kind").intValue()).isEqualTo(2);
            assertThat(text(turn, "parentSpanId")).isEqualTo(text(request, "spanId"));
            assertThat(attributes(turn)).contains("invoke_agent", "succeeded");
            assertThat(given).contains("00-" + TRACE + "-" + text(turn, "spanId") + "-01");
            for (String part : List.of("chat deep", "execute_tool bash", "snapshot")) {
                assertThat(text(only(spans, part), "parentSpanId")).isEqualTo(text(turn, "spanId"));
            }
            assertThat(attributes(only(spans, "chat deep")))
                    .contains("gen_ai.usage.input_tokens=106", "gen_ai.provider.name=anthropic");
            assertThat(spans.toString()).doesNotContain("secret words", "hello");
        }
    }

    @Test
    void aFailedTurnHasTheCodeAsItsError() throws Exception {
        try (TestServer server = TestServer.start(traced(), Clock.systemUTC())) {
            try (Events events = server.turn(Map.of("message", "hello"))) {
                sandbox.next()
                        .stepStarts("s1", "bash")
                        .say("{\"type\":\"error\",\"code\":\"model_auth\",\"message\":\"no\"}")
                        .hangsUp();
                assertThat(events.rest()).isNotEmpty();
            }
            List<JsonNode> spans = collector.until(span -> isNamed(span, "turn"));

            JsonNode turn = only(spans, "turn");
            assertThat(turn.get("status").get("code").intValue()).isEqualTo(2);
            assertThat(attributes(turn)).contains("model_auth", "failed");
            assertThat(attributes(only(spans, "execute_tool bash"))).contains("unfinished");
        }
    }

    @Test
    void theCollectorIsToldWhoSends() throws Exception {
        try (TestServer server = TestServer.start(traced(), Clock.systemUTC())) {
            assertThat(server.get("/livez").statusCode()).isEqualTo(200);
            TraceCollector.Delivery delivery = collector.next();

            assertThat(delivery.authorization()).contains("Bearer of-the-collector");
            assertThat(delivery.body().get("resourceSpans").get(0).get("resource").toString())
                    .contains("service.name", "satchel-test");
        }
    }

    @Test
    void aTraceThatIsNotSampledIsPassedOnButNotSent() throws Exception {
        try (TestServer server = TestServer.start(traced(), Clock.systemUTC())) {
            try (Events events = server.events(turn(server, TRACE + "-" + CLIENT_SPAN + "-00"))) {
                RunOnStage run = sandbox.next();
                assertThat(run.traceparent().orElseThrow()).contains(TRACE).endsWith("-00");
                run.answers("done");
                assertThat(events.rest()).isNotEmpty();
            }
            assertThat(server.get("/livez").statusCode()).isEqualTo(200);

            assertThat(collector.until(span -> isNamed(span, "GET /livez")))
                    .noneMatch(span -> text(span, "traceId").equals(TRACE));
        }
    }

    @Test
    void aCollectorThatIsAwayIsOneLineAndDelaysNothing() throws Exception {
        collector.close();
        try (LogLines lines = LogLines.of(SpanExporter.class.getName());
                TestServer server = TestServer.start(traced(), Clock.systemUTC())) {
            String page = "";
            while (!page.matches("(?s).*\nsatchel_spans_dropped_total [1-9].*")) {
                page = server.get("/metrics").body();
            }
            assertThat(server.get("/livez").statusCode()).isEqualTo(200);
            assertThat(lines.warnings()).hasSize(1);
        }
    }

    @Test
    void withoutACollectorNothingIsLoadedThatMakesOrSendsSpans() throws Exception {
        Path loaded = data.resolve("loaded");
        try (ServerProcess server =
                ServerProcess.start(
                        data.resolve("data"),
                        Map.of(
                                "SANDBOX_URL",
                                sandbox.url().toString(),
                                "JDK_JAVA_OPTIONS",
                                "-Xlog:class+load=info:file=" + loaded))) {
            try (Events events = server.turn("hello")) {
                RunOnStage run = sandbox.next();
                assertThat(run.traceparent()).isEmpty();
                run.answers("done");
                assertThat(events.rest()).isNotEmpty();
            }
        }

        assertThat(Files.readString(loaded))
                .contains("dev.satchel.server.metric.RunMetrics")
                .doesNotContain(
                        "tracing.SpanExporter",
                        "tracing.OtlpFormat",
                        "tracing.RunSpans",
                        "tracing.AttemptSpans");
    }

    private Configuration traced() {
        return TestConfiguration.withMonitoring(
                TestServer.configuration(data, null, sandbox.url()),
                new Configuration.Monitoring(10, Optional.of(collector.settings())));
    }

    private static HttpRequest turn(TestServer server, String trace) {
        return server.request("/api/assistant/chat/stream")
                .header("traceparent", "00-" + trace)
                .POST(
                        BodyPublishers.ofString(
                                Json.MAPPER.writeValueAsString(Map.of("message", "hello"))))
                .build();
    }

    private static JsonNode only(List<JsonNode> spans, String name) {
        List<JsonNode> found = spans.stream().filter(span -> isNamed(span, name)).toList();
        assertThat(found).as(name + " in " + spans).hasSize(1);
        return found.getFirst();
    }

    private static boolean isNamed(JsonNode span, String name) {
        return name(span).equals(name);
    }

    private static String name(JsonNode span) {
        return text(span, "name");
    }

    private static String text(JsonNode span, String field) {
        return span.get(field).stringValue();
    }

    /** A line {@code key=value} for each; the members of an object have no order. */
    private static String attributes(JsonNode span) {
        List<String> attributes = new ArrayList<>();
        for (JsonNode attribute : span.get("attributes")) {
            String value = attribute.get("value").iterator().next().asString();
            attributes.add(attribute.get("key").stringValue() + "=" + value);
        }
        return String.join("\n", attributes);
    }
}
