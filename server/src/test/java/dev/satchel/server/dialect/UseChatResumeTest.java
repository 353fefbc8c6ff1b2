package dev.satchel.server.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.web.CuttableProxy;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Pages of {@code useChat} that come late, lose their connection or are loaded again. */
@ParameterizedClass
@ValueSource(strings = {"5", "6", "7"})
class UseChatResumeTest extends UseChatFixture {
    @Test
    void aPageThatComesLateResumesFromTheFirstPart() throws Exception {
        try (NodeClient first = page()) {
            first.order(Map.of("do", "send", "text", "hello"));
            RunOnStage run = sandbox.next();
            run.stepStarts("s1", "bash");
            first.await("the step is there", report -> answer(report).size() == 2);

            try (NodeClient second = page("resume")) {
                second.await("the step is there", report -> answer(report).size() == 2);
                run.stepSucceeds("s1", "bash").answers("done");

                JsonNode told = settled(first).get("messages");
                assertThat(settled(second).get("messages")).isEqualTo(told);
                assertThat(told).hasSize(2);
            }
        }
    }

    @Test
    void aCutConnectionLosesAndDoublesNothing() throws Exception {
        try (CuttableProxy proxy = new CuttableProxy(server.url(""));
                NodeClient page =
                        NodeClient.start(
                                "use-chat.mjs",
                                version,
                                proxy.url().toString(),
                                TestServer.KEY,
                                CHAT)) {
            page.order(Map.of("do", "send", "text", "hello"));
            RunOnStage run = sandbox.next();
            run.say("{\"type\":\"delta\",\"text\":\"One \",\"ts\":1}").stepStarts("s1", "bash");
            page.await("the step is there", report -> answer(report).size() == 3);

            proxy.cut();
            page.await("the cut is felt", report -> report.has("failed"));
            run.stepSucceeds("s1", "bash").say("{\"type\":\"delta\",\"text\":\"two\",\"ts\":1}");
            proxy.mend();
            page.order(Map.of("do", "resume"));
            page.await("all is there", report -> answer(report).size() == 4);
            run.answers("two three");

            JsonNode settled = settled(page);
            assertThat(settled.get("messages")).hasSize(2);
            assertThat(summary(answer(settled)))
                    .containsExactly(
                            "step-start",
                            "text:One ",
                            "dynamic-tool:output-available",
                            "text:two three");
        }
    }

    @Test
    void leavingThePageDoesNotStopTheRunButStoppingDoes() throws Exception {
        try (NodeClient page = page()) {
            page.order(Map.of("do", "send", "text", "hello"));
            RunOnStage run = sandbox.next();
            run.stepStarts("s1", "bash");
            page.await("the step is there", report -> answer(report).size() == 2);
            page.order(Map.of("do", "leave"));
            page.await("it has left", report -> report.path("isAbort").booleanValue(false));
            run.stepSucceeds("s1", "bash").stepStarts("s2", "bash");

            page.order(Map.of("do", "resume"));
            page.await("it is back", report -> answer(report).size() == 3);
            page.order(Map.of("do", "stop"));

            JsonNode parts = answer(settled(page));
            assertThat(summary(parts))
                    .containsExactly(
                            "step-start",
                            "dynamic-tool:output-available",
                            "dynamic-tool:output-error");
            assertThat(run.wasHungUpOn()).isTrue();
        }
    }

    @Test
    void nothingRunningIsNothingToResume() throws Exception {
        String stream = "/api/ai-sdk/chat/" + CHAT + "/stream";
        assertThat(server.get(stream).statusCode()).isEqualTo(204);
        try (NodeClient page = page("resume")) {
            page.order(Map.of("do", "send", "text", "hello"));
            sandbox.next().answers("hi");
            settled(page);

            assertThat(server.get(stream).statusCode()).isEqualTo(204);
            page.order(Map.of("do", "resume"));
            page.order(Map.of("do", "show"));
            JsonNode shown = page.await("it shows", report -> report.has("shown"));
            assertThat(shown.get("messages")).hasSize(2);
        }
    }

    @Test
    void aReloadedPageBeginsWithWhatWasSaid() throws Exception {
        try (NodeClient first = page()) {
            first.order(Map.of("do", "send", "text", "hello"));
            sandbox.next().stepStarts("s1", "bash").stepSucceeds("s1", "bash").answers("hi");
            JsonNode told = settled(first);

            try (NodeClient again = page()) {
                JsonNode shown = again.await("it is there", report -> is(report, "ready"));
                assertThat(shown.get("messages")).hasSize(2);
                assertThat(summary(answer(shown))).isEqualTo(summary(answer(told)));
                assertThat(shown.at("/messages/1/id")).isEqualTo(told.at("/messages/1/id"));
            }
        }
    }

    @Test
    void theStreamNamesItsVersionAndARepeatJoinsIt() throws Exception {
        String body =
                Json.MAPPER.writeValueAsString(
                        Map.of(
                                "id",
                                CHAT,
                                "messages",
                                List.of(
                                        Map.of(
                                                "id",
                                                "m1",
                                                "role",
                                                "user",
                                                "parts",
                                                List.of(
                                                        Map.of(
                                                                "type", "text", "text",
                                                                "hello"))))));
        List<String> bodies = new ArrayList<>();
        Thread answering =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        sandbox.next().answers("hi");
                                    } catch (InterruptedException e) {
                                        Thread.currentThread().interrupt();
                                    }
                                });
        for (int i = 0; i < 2; i++) {
            HttpResponse<String> response =
                    server.send(
                            server.request("/api/ai-sdk/chat")
                                    .header("Idempotency-Key", "once")
                                    .POST(BodyPublishers.ofString(body))
                                    .build());
            assertThat(response.headers().firstValue("x-vercel-ai-ui-message-stream"))
                    .hasValue("v1");
            bodies.add(response.body());
        }
        answering.join();

        assertThat(bodies.get(0)).endsWith("data: [DONE]\n\n").isEqualTo(bodies.get(1));
        assertThat(sandbox.nothingDispatched()).isTrue();
    }
}
