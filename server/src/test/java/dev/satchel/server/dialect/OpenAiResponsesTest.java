package dev.satchel.server.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.testing.AskScript;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.SandboxCalls;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Responses and files with the official package of npm. */
class OpenAiResponsesTest extends OpenAiFixture {
    @Test
    void aResponseStreamsItsItemsAndCanBeReadAgain() throws Exception {
        order("streamResponse", Map.of("body", body("make a report")));
        RunOnStage run = sandbox.next();
        try (SandboxCalls calls = new SandboxCalls()) {
            run.say("{\"type\":\"thinking\",\"text\":\"A report.\"}");
            run.say("{\"type\":\"delta\",\"text\":\"I will look.\"}");
            run.stepStarts("s1", "bash").stepSucceeds("s1", "bash");
            calls.handIn(run.dispatch(), new MultipartBody().file("report.csv", "a,b\n"));
            run.answers("Here it is.");
        }
        List<JsonNode> events = streamed();
        assertThat(events.getFirst().get("type").stringValue()).isEqualTo("response.created");
        JsonNode response = events.getLast().get("response");
        assertThat(events.getLast().get("type").stringValue()).isEqualTo("response.completed");
        assertThat(types(response)).containsExactly("reasoning", "message", "mcp_call", "message");
        JsonNode text = response.at("/output/3/content/0");
        assertThat(text.get("text").stringValue()).startsWith("Here it is.\n\n[report.csv](http");
        JsonNode citation = text.at("/annotations/0");
        assertThat(citation.get("filename").stringValue()).isEqualTo("report.csv");

        order("content", Map.of("id", citation.get("file_id").stringValue()));
        assertThat(result().stringValue()).isEqualTo("a,b\n");
        String id = response.get("id").stringValue();
        order("response", Map.of("id", id));
        JsonNode again = result();
        assertThat(again.get("output")).isEqualTo(response.get("output"));
        int last = events.getLast().get("sequence_number").intValue();
        order("followResponse", Map.of("id", id, "after", last - 2));
        assertThat(streamed()).isEqualTo(events.subList(events.size() - 2, events.size()));
    }

    @Test
    void aResponseFollowsAnotherAndAnEarlierOneBranches() throws Exception {
        String first = respond(body("one"), "1").get("id").stringValue();
        JsonNode second = respond(after(first, "two"), "2");
        JsonNode other = respond(after(first, "three"), "3");
        assertThat(other.at("/conversation/id")).isEqualTo(second.at("/conversation/id"));
        assertThat(thread(other.at("/conversation/id").stringValue()))
                .containsExactly("user:one", "assistant:1", "user:three", "assistant:3");
    }

    @Test
    void aBackgroundResponseIsReadAndCancelled() throws Exception {
        order(
                "respond",
                Map.of("body", Map.of("model", "satchel", "input", "work", "background", true)));
        JsonNode begun = result();
        assertThat(begun.get("status").stringValue()).isEqualTo("in_progress");
        RunOnStage run = sandbox.next();
        order("cancel", Map.of("id", begun.get("id").stringValue()));
        assertThat(result().get("status").stringValue()).isEqualTo("cancelled");
        run.hangsUp();
        order("response", Map.of("id", begun.get("id").stringValue()));
        assertThat(result().get("status").stringValue()).isEqualTo("cancelled");
    }

    @Test
    void anApprovalContinuesTheRunInAResponseOfItsOwn() throws Exception {
        order("respond", Map.of("body", body("clean up")));
        AskScript.asks(sandbox.next(), AskScript.APPROVAL);
        JsonNode asked = result();
        assertThat(types(asked)).containsExactly("message", "mcp_call", "mcp_approval_request");
        Map<String, Object> approval =
                Map.of(
                        "type",
                        "mcp_approval_response",
                        "approval_request_id",
                        asked.at("/output/2/id").stringValue(),
                        "approve",
                        true);
        order(
                "respond",
                Map.of(
                        "body",
                        Map.of(
                                "model",
                                "satchel",
                                "previous_response_id",
                                asked.get("id").stringValue(),
                                "input",
                                List.of(approval))));
        RunOnStage next = sandbox.next();
        assertThat(AskScript.answers(next).at("/0/decision").stringValue()).isEqualTo("allow");
        next.stepStarts("call_1_0", "sh").stepSucceeds("call_1_0", "sh").answers("Done.");
        JsonNode done = result();
        assertThat(types(done)).containsExactly("mcp_call", "message");
        assertThat(done.at("/output/1/content/0/text").stringValue()).isEqualTo("Done.");
    }

    @Test
    void anUploadedFileIsNamedListedAndDeleted() throws Exception {
        order("upload", Map.of("name", "notes.txt", "content", "hello"));
        JsonNode file = result();
        assertThat(file.get("bytes").intValue()).isEqualTo(5);
        order("files", Map.of());
        assertThat(result().valueStream().map(it -> it.get("id"))).contains(file.get("id"));
        Map<String, Object> text = Map.of("type", "input_text", "text", "read this");
        Map<String, Object> part =
                Map.of("type", "input_file", "file_id", file.get("id").stringValue());
        Map<String, Object> body =
                Map.of(
                        "model",
                        "satchel",
                        "input",
                        List.of(Map.of("role", "user", "content", List.of(text, part))));
        for (int times = 0; times < 2; times++) {
            String chat = respond(body, "read").at("/conversation/id").stringValue();
            JsonNode files = server.getJson("/api/assistant/chats/" + chat + "/files").get("files");
            assertThat(files).hasSize(1);
            assertThat(files.get(0).get("name").stringValue()).isEqualTo("notes.txt");
        }
        order("deleteFile", Map.of("id", file.get("id").stringValue()));
        assertThat(refused().get("status").intValue()).isEqualTo(409);
        order("upload", Map.of("name", "other.txt", "content", "hello"));
        String other = result().get("id").stringValue();
        order("deleteFile", Map.of("id", other));
        assertThat(result().get("deleted").booleanValue()).isTrue();
        order("file", Map.of("id", other));
        assertThat(refused().get("status").intValue()).isEqualTo(404);
    }

    @Test
    void aFailedRunIsAFailedResponse() throws Exception {
        order("respond", Map.of("body", body("fail")));
        sandbox.next()
                .say("{\"type\":\"error\",\"code\":\"model_unavailable\",\"message\":\"away\"}")
                .hangsUp();
        JsonNode failed = result();
        assertThat(failed.get("status").stringValue()).isEqualTo("failed");
        assertThat(failed.at("/error/message").stringValue()).contains("away");
    }

    private JsonNode respond(Map<String, Object> body, String answer) throws Exception {
        order("respond", Map.of("body", body));
        sandbox.next().answers(answer);
        return result();
    }

    private static Map<String, Object> body(String input) {
        return Map.of("model", "satchel", "input", input);
    }

    private static Map<String, Object> after(String response, String input) {
        return Map.of("model", "satchel", "input", input, "previous_response_id", response);
    }

    private static List<String> types(JsonNode response) {
        return response.get("output")
                .valueStream()
                .map(item -> item.get("type").stringValue())
                .toList();
    }
}
