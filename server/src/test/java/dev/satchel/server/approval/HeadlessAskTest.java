package dev.satchel.server.approval;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.ScriptedModel;
import dev.satchel.server.testing.ServerProcess;
import dev.satchel.server.testing.TestServer.Events;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Headless runs of a model that would ask a person, by what their request says to that. */
@Timeout(180)
class HeadlessAskTest {
    private static final Map<String, String> EFFECT = Map.of("command", "echo done >> effects.txt");

    @TempDir Path folder;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private ScriptedModel model;
    private ServerProcess server;
    private String runs = "";

    @BeforeEach
    void start() throws Exception {
        model = new ScriptedModel();
        server = ServerProcess.start(folder.resolve("data"), model.settings(folder));
        JsonNode agent =
                json(
                        server.send(
                                "POST",
                                "/api/agents",
                                "{\"name\":\"careful\",\"permissions\":{\"sh\":\"ask\"}}"));
        runs = "/api/agents/" + agent.get("id").stringValue() + "/runs";
    }

    @AfterEach
    void stop() {
        server.close();
        model.close();
        threads.shutdownNow();
    }

    @Test
    void aRunWaitsUnlessItSaysSomethingElse() throws Exception {
        for (String onAsk : new @Nullable String[] {null, "park"}) {
            Future<JsonNode> response = run(onAsk);
            model.next().calls("sh", EFFECT).ends();
            assertThat(response.get().get("status").stringValue()).isEqualTo("waiting");
            assertThat(response.get().at("/asks/0/askId").stringValue()).isEqualTo("call_1_0");
            assertThat(response.get().at("/asks/0/chatId").isMissingNode()).isTrue();
            String run = response.get().get("runId").stringValue();
            HttpResponse<String> answered =
                    server.send(
                            "POST",
                            "/api/runs/" + run + "/answers",
                            "{\"answers\":[{\"askId\":\"call_1_0\",\"decision\":\"allow\"}]}");
            assertThat(answered.statusCode()).as(answered.body()).isEqualTo(202);
            model.next().says("Cleaned.").ends();
            try (Events events = server.follow(run, "")) {
                assertThat(events.rest().getLast().data().get("status").stringValue())
                        .isEqualTo("succeeded");
            }
        }
    }

    @Test
    void aRunThatDeniesGoesOnWithoutTheCallAndWithoutQuestions() throws Exception {
        Future<JsonNode> response = run("deny");
        ScriptedModel.Call first = model.next();
        assertThat(first.request().get("tools").toString()).doesNotContain("ask_user");
        first.calls("sh", EFFECT).ends();
        ScriptedModel.Call second = model.next();
        assertThat(second.request().get("messages").toString())
                .contains("needs the approval of a person");
        second.calls("glob", Map.of("pattern", "*.txt")).ends();
        ScriptedModel.Call last = model.next();
        JsonNode messages = last.request().get("messages");
        assertThat(messages.get(messages.size() - 1).toString()).doesNotContain("effects.txt");
        last.says("Not cleaned.").ends();

        assertThat(response.get().get("status").stringValue()).isEqualTo("succeeded");
        assertThat(response.get().get("response").stringValue()).isEqualTo("Not cleaned.");
        requireNoAsk();
    }

    @Test
    void aRunThatFailsEndsWithAClearCode() throws Exception {
        Future<JsonNode> response = run("fail");
        model.next().calls("sh", EFFECT).ends();

        assertThat(response.get().get("status").stringValue()).isEqualTo("failed");
        assertThat(response.get().at("/error/code").stringValue()).isEqualTo("ask_refused");
        assertThat(response.get().at("/error/message").stringValue()).contains("sh");
        assertThat(model.requests()).isEqualTo(1);
        requireNoAsk();
    }

    @Test
    void anUnknownActionIsRefused() throws Exception {
        HttpResponse<String> refused =
                server.send("POST", runs, "{\"prompt\":\"clean up\",\"onAsk\":\"perhaps\"}");
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("park, deny or fail");
        assertThat(model.requests()).isZero();
    }

    private void requireNoAsk() throws Exception {
        assertThat(json(server.send("GET", "/api/asks", "")).get("asks")).isEmpty();
    }

    private Future<JsonNode> run(@Nullable String onAsk) {
        Map<String, String> body = new HashMap<>(Map.of("prompt", "clean up"));
        if (onAsk != null) {
            body.put("onAsk", onAsk);
        }
        String json = Json.MAPPER.writeValueAsString(body);
        return threads.submit(() -> json(server.send("POST", runs, json)));
    }

    private static JsonNode json(HttpResponse<String> response) throws IOException {
        if (response.statusCode() >= 300) {
            throw new IOException(response.statusCode() + " " + response.body());
        }
        return Json.MAPPER.readTree(response.body());
    }
}
