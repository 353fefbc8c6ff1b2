package dev.satchel.runner.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.runner.model.ModelException.Code;
import dev.satchel.tools.ToolResult;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The format of Anthropic, at every provider that offers it. */
abstract class AnthropicFormatContract extends ModelReplyContract {
    @Override
    JsonNode toolSchema(JsonNode body) {
        return body.at("/tools/0/input_schema");
    }

    @Override
    void toolResultIsSent(JsonNode messages) {
        assertThat(messages.at("/1/content/1/type").asString()).isEqualTo("tool_use");
        assertThat(messages.at("/1/content/1/input/command").asString()).isEqualTo("ls");
        JsonNode result = messages.at("/2/content/0");
        assertThat(result.path("type").asString()).isEqualTo("tool_result");
        assertThat(result.path("tool_use_id").asString()).isEqualTo("call_1");
        assertThat(result.toString()).contains("a.txt b.txt");
    }

    @Override
    void imageIsSent(JsonNode messages) {
        JsonNode image = messages.at("/0/content/1");
        assertThat(image.path("type").asString()).isEqualTo("image");
        assertThat(image.at("/source/media_type").asString()).isEqualTo("image/png");
        assertThat(image.at("/source/data").asString()).isEqualTo(PIXEL.base64());
    }

    @Override
    void pdfIsSent(JsonNode messages) {
        JsonNode document = messages.at("/0/content/2");
        assertThat(document.path("type").asString()).isEqualTo("document");
        assertThat(document.at("/source/type").asString()).isEqualTo("base64");
        assertThat(document.at("/source/media_type").asString()).isEqualTo("application/pdf");
        assertThat(document.at("/source/data").asString()).isEqualTo(PDF.base64());
        assertThat(document.path("title").asString()).isEqualTo("a.pdf");
        assertThat(document.at("/cache_control/type").asString()).isEqualTo("ephemeral");
    }

    @Override
    void toolImageIsSent(JsonNode messages) {
        JsonNode result = messages.at("/2/content/0");
        assertThat(result.path("type").asString()).isEqualTo("tool_result");
        assertThat(result.path("content").toString()).contains("\"image\"", PIXEL.base64());
    }

    @Override
    TokenUsage usage() {
        return new TokenUsage(wire().model(), wire().provider().wireName(), 25, 15, 7, 3);
    }

    @Override
    String wholeReply() {
        return """
        {"id":"msg_1","type":"message","role":"assistant","stop_reason":"end_turn",\
        "content":[{"type":"text","text":"all at once"}],\
        "usage":{"input_tokens":1,"output_tokens":2}}""";
    }

    @Test
    void thinkingIsSentBackAsItCame() throws Exception {
        String arguments = "{\"command\":\"ls\"}";
        server.thenStream(
                wire().thinking("I wonder.", "42")
                        .replace("end_turn", "tool_use")
                        .replace(
                                "event: message_delta",
                                ModelWireFormat.Anthropic.startOf(
                                                3,
                                                "{\"type\":\"tool_use\",\"id\":\"c\","
                                                        + "\"name\":\"sh\",\"input\":{}}")
                                        + ModelWireFormat.Anthropic.delta(
                                                3,
                                                "{\"type\":\"input_json_delta\",\"partial_json\":"
                                                        + ModelWireFormat.quote(arguments)
                                                        + "}")
                                        + "event: message_delta"));
        server.thenStream(wire().text("ok"));
        ChatHistory history = question("hello");
        ModelReply reply = listen(history);
        history.add(reply);
        history.add(reply.calls().getFirst(), ToolResult.success("done"));
        listen(history);
        assertThat(lastBody().at("/messages/1/content").toString())
                .isEqualTo(
                        """
                        [{"type":"thinking","thinking":"I wonder.","signature":"c2ln"},\
                        {"type":"redacted_thinking","data":"aGlkZGVu"},\
                        {"type":"text","text":"42"},\
                        {"type":"tool_use","id":"c","name":"sh","input":{"command":"ls"}}]""");
    }

    @Test
    void cacheMarksAreOnSystemToolsAndTheLastTwoMessagesOfTheUser() throws Exception {
        server.thenStream(wire().text("ok"));
        ChatHistory history = question("one");
        ModelReply.Call call = new ModelReply.Call("c1", "sh", "{}");
        history.add(new ModelReply("", List.of(call), false));
        history.add(call, ToolResult.success("two"));
        history.add(new ModelReply("hm", List.of(), false));
        history.ask("three", List.of());
        listen(history);
        JsonNode body = lastBody();
        assertThat(body.at("/system/0").has("cache_control")).isTrue();
        assertThat(body.at("/tools/0").has("cache_control")).isTrue();
        assertThat(body.at("/messages/0/content/0").has("cache_control")).isFalse();
        assertThat(body.at("/messages/2/content/0").has("cache_control")).isTrue();
        assertThat(body.at("/messages/4/content/0").has("cache_control")).isTrue();
    }

    @Test
    void errorEventInTheStreamIsAModelError() {
        server.refuseAll(529, "{\"error\":{\"message\":\"Overloaded\"}}");
        server.thenStream(
                wire().unfinished("I think")
                        + """
                        event: error
                        data: {"type":"error","error":{"type":"overloaded_error",\
                        "message":"Overloaded"}}

                        """);
        ModelException failure = failure();
        assertThat(failure.code()).isEqualTo(Code.MODEL_ERROR);
        assertThat(failure.message()).contains("overloaded", "5 times");
        assertThat(waits).hasSize(4).startsWith(Duration.ofSeconds(1), Duration.ofSeconds(2));
    }
}
