package dev.satchel.runner.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.runner.model.ModelException.Code;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class AnthropicModelTest extends ModelContract {
    @Override
    ModelWireFormat wire() {
        return new ModelWireFormat.Anthropic();
    }

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
    void toolImageIsSent(JsonNode messages) {
        JsonNode result = messages.at("/2/content/0");
        assertThat(result.path("type").asString()).isEqualTo("tool_result");
        assertThat(result.path("content").toString()).contains("\"image\"", PIXEL.base64());
    }

    @Test
    void keyGoesInItsOwnHeaderToTheVersionedPath() throws Exception {
        server.thenStream(wire().text("ok"));
        ask(question("hello"));
        ScriptedProvider.Asked asked = server.asked().getLast();
        assertThat(asked.path()).isEqualTo("/v1/messages");
        assertThat(asked.headers().getFirst("x-api-key")).isEqualTo(KEY);
        assertThat(asked.headers().getFirst("anthropic-version")).isNotBlank();
    }

    @Test
    void errorEventInTheStreamIsAModelError() {
        server.thenStream(
                wire().unfinished("I think")
                        + """
                        event: error
                        data: {"type":"error","error":{"type":"overloaded_error",\
                        "message":"Overloaded"}}

                        """);
        ModelException failure = failure();
        assertThat(failure.code()).isEqualTo(Code.MODEL_ERROR);
        assertThat(failure.message()).contains("Overloaded");
    }
}
