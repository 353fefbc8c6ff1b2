package dev.satchel.runner.model;

import static org.assertj.core.api.Assertions.assertThat;

import tools.jackson.databind.JsonNode;

/** The format of OpenAI, at every provider that offers it. */
abstract class OpenAiFormatContract extends ModelReplyContract {
    @Override
    JsonNode toolSchema(JsonNode body) {
        return body.at("/tools/0/function/parameters");
    }

    @Override
    void toolResultIsSent(JsonNode messages) {
        JsonNode call = messages.at("/2/tool_calls/0");
        assertThat(call.at("/function/arguments").asString()).isEqualTo("{\"command\":\"ls\"}");
        assertThat(messages.at("/3/role").asString()).isEqualTo("tool");
        assertThat(messages.at("/3/tool_call_id").asString()).isEqualTo("call_1");
        assertThat(messages.at("/3/content").toString()).contains("a.txt b.txt");
    }

    @Override
    void imageIsSent(JsonNode messages) {
        JsonNode image = messages.at("/1/content/1/image_url");
        assertThat(image.path("url").asString())
                .isEqualTo("data:image/png;base64," + PIXEL.base64());
        assertThat(image.path("detail").asString()).isEqualTo("auto");
    }

    @Override
    void pdfIsSent(JsonNode messages) {
        JsonNode part = messages.at("/1/content/2");
        assertThat(part.path("type").asString()).isEqualTo("file");
        assertThat(part.at("/file/filename").asString()).isEqualTo("a.pdf");
        assertThat(part.at("/file/file_data").asString())
                .isEqualTo("data:application/pdf;base64," + PDF.base64());
    }

    @Override
    void toolImageIsSent(JsonNode messages) {
        assertThat(messages.at("/3/role").asString()).isEqualTo("tool");
        assertThat(messages.at("/4/role").asString()).isEqualTo("user");
        assertThat(messages.at("/4/content/1/image_url/url").asString()).contains(PIXEL.base64());
    }

    @Override
    TokenUsage usage() {
        return new TokenUsage(wire().model(), wire().provider().wireName(), 9, 12, 4, 0);
    }

    @Override
    String wholeReply() {
        return """
        {"id":"chatcmpl-1","object":"chat.completion","choices":[{"index":0,\
        "message":{"role":"assistant","content":"all at once"},"finish_reason":"stop"}]}""";
    }
}
