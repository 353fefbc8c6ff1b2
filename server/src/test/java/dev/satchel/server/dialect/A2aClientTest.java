package dev.satchel.server.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.AskScript;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.SandboxCalls;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The real client of {@code @a2a-js/sdk}, version 1.0 of the protocol. */
class A2aClientTest extends ClientFixture {
    /** As the client has the states of the protocol. */
    private static final int WORKING = 2;

    private static final int COMPLETED = 3;
    private static final int FAILED = 4;
    private static final int CANCELED = 5;
    private static final int INPUT_REQUIRED = 6;

    @Override
    String script() {
        return "a2a.mjs";
    }

    @Test
    void theCardOffersJsonRpcAndTheAgentOfAnotherCardIsUsed() throws Exception {
        order("card", Map.of());
        JsonNode offered = result().at("/supportedInterfaces/0");
        assertThat(offered.get("protocolBinding").stringValue()).isEqualTo("JSONRPC");
        assertThat(offered.get("protocolVersion").stringValue()).isEqualTo("1.0");

        String made =
                server.post("/api/agents", Map.of("name", "Reader", "systemPrompt", "Read."))
                        .body();
        String id = Json.MAPPER.readTree(made).get("id").stringValue();
        order("use", Map.of("path", "/a2a/agents/" + id));
        result();
        order("send", Map.of("text", "hello"));
        RunOnStage run = sandbox.next();
        try (SandboxCalls calls = new SandboxCalls()) {
            String config = calls.get(run.dispatch(), "/config", run.dispatch().otpRun()).body();
            assertThat(Json.MAPPER.readTree(config).get("system_prompt").stringValue())
                    .isEqualTo("Read.");
        }
        run.answers("hi");
        assertThat(state(result())).isEqualTo(COMPLETED);
        order("use", Map.of("path", ""));
        result();
    }

    @Test
    void aTaskEndsWithItsTextAndFilesAndItsContextGoesOn() throws Exception {
        order("sendRaw", Map.of("text", "read", "name", "notes.txt", "content", "notes"));
        RunOnStage run = sandbox.next();
        try (SandboxCalls calls = new SandboxCalls()) {
            calls.handIn(run.dispatch(), new MultipartBody().file("report.csv", "a,b\n"));
        }
        run.answers("Read.");
        JsonNode task = result();
        assertThat(state(task)).isEqualTo(COMPLETED);
        assertThat(texts(task)).containsExactly("Read.");
        JsonNode artifacts = task.get("artifacts");
        JsonNode link =
                artifacts
                        .valueStream()
                        .map(artifact -> artifact.at("/parts/0"))
                        .filter(part -> part.get("filename").stringValue().equals("report.csv"))
                        .findFirst()
                        .orElseThrow();
        URI url = URI.create(link.at("/content/value").stringValue());
        assertThat(server.get(url.getPath()).body()).isEqualTo("a,b\n");

        String context = task.get("contextId").stringValue();
        JsonNode files = server.getJson("/api/assistant/chats/" + context + "/files").get("files");
        assertThat(files.valueStream().map(it -> it.get("name").stringValue()))
                .contains("notes.txt");
        order("send", Map.of("text", "again", "contextId", context));
        sandbox.next().answers("Again.");
        assertThat(result().get("contextId").stringValue()).isEqualTo(context);
        assertThat(thread(context)).hasSize(4);
    }

    @Test
    void aTaskStreamsAndCanBeReadAndFollowed() throws Exception {
        order("stream", Map.of("text", "work"));
        RunOnStage run = sandbox.next();
        run.stepStarts("s1", "bash").stepSucceeds("s1", "bash");
        run.say("{\"type\":\"delta\",\"text\":\"Do\"}").answers("Done.");
        List<JsonNode> events = streamed();
        JsonNode task = events.getFirst().at("/payload/value");
        assertThat(state(task)).isEqualTo(WORKING);
        assertThat(events.getLast().at("/payload/value/status/state").intValue())
                .isEqualTo(COMPLETED);
        assertThat(
                        events.stream()
                                .map(event -> event.at("/payload/value/artifact/parts/0"))
                                .map(part -> part.at("/content/value").stringValue(""))
                                .filter(text -> !text.isEmpty()))
                .containsExactly("Do", "ne.");
        String id = task.get("id").stringValue();
        order("get", Map.of("id", id));
        assertThat(texts(result())).containsExactly("Done.");
        order("follow", Map.of("id", id));
        assertThat(streamed()).isEqualTo(events);
    }

    @Test
    void aTaskThatAsksNeedsInputAndGoesOnWithIt() throws Exception {
        order("send", Map.of("text", "clean up"));
        AskScript.asks(sandbox.next(), AskScript.APPROVAL);
        JsonNode asked = result();
        assertThat(state(asked)).isEqualTo(INPUT_REQUIRED);
        assertThat(asked.at("/status/message/parts/0/content/value").stringValue())
                .contains("May I call sh?");

        order(
                "send",
                Map.of(
                        "text",
                        "yes",
                        "taskId",
                        asked.get("id").stringValue(),
                        "contextId",
                        asked.get("contextId").stringValue()));
        RunOnStage next = sandbox.next();
        assertThat(AskScript.answers(next).at("/0/decision").stringValue()).isEqualTo("allow");
        next.stepStarts("call_1_0", "sh").stepSucceeds("call_1_0", "sh").answers("Done.");
        JsonNode done = result();
        assertThat(done.get("id")).isEqualTo(asked.get("id"));
        assertThat(state(done)).isEqualTo(COMPLETED);
        assertThat(texts(done)).containsExactly("I clean up.", "Done.");
    }

    @Test
    void aTaskIsCancelledAndAFailureIsItsState() throws Exception {
        order("stream", Map.of("text", "wait"));
        RunOnStage run = sandbox.next();
        JsonNode begun = client.await("it has begun", it -> it.has("event"));
        String id = begun.at("/event/payload/value/id").stringValue();
        order("cancel", Map.of("id", id));
        List<JsonNode> ends = new ArrayList<>();
        client.await(
                "it is cancelled and its stream has ended",
                it -> {
                    if (it.has("result") || it.has("ended")) {
                        ends.add(it);
                    }
                    return ends.size() == 2;
                });
        JsonNode cancelled = ends.stream().filter(it -> it.has("result")).findFirst().orElseThrow();
        assertThat(state(cancelled.get("result"))).isEqualTo(CANCELED);
        run.hangsUp();
        order("cancel", Map.of("id", id));
        assertThat(refused().get("message").stringValue()).contains("ended");

        order("send", Map.of("text", "fail"));
        sandbox.next()
                .say("{\"type\":\"error\",\"code\":\"model_unavailable\",\"message\":\"away\"}")
                .hangsUp();
        assertThat(state(result())).isEqualTo(FAILED);
        order("get", Map.of("id", "unknown"));
        assertThat(refused().get("message").stringValue()).contains("no such task");
    }

    private static int state(JsonNode task) {
        return task.at("/status/state").intValue();
    }

    private static List<String> texts(JsonNode task) {
        return task.get("artifacts")
                .valueStream()
                .map(artifact -> artifact.at("/parts/0/content"))
                .filter(content -> content.path("$case").stringValue("").equals("text"))
                .map(content -> content.get("value").stringValue())
                .toList();
    }
}
