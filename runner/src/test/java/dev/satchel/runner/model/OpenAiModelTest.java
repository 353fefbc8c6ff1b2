package dev.satchel.runner.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.runner.net.PrivateHosts;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class OpenAiModelTest extends ModelContract {
    @Override
    ModelWireFormat wire() {
        return new ModelWireFormat.OpenAi();
    }

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
        assertThat(messages.at("/1/content/1/image_url/url").asString())
                .isEqualTo("data:image/png;base64," + PIXEL.base64());
    }

    @Override
    void toolImageIsSent(JsonNode messages) {
        assertThat(messages.at("/3/role").asString()).isEqualTo("tool");
        assertThat(messages.at("/4/role").asString()).isEqualTo("user");
        assertThat(messages.at("/4/content/1/image_url/url").asString()).contains(PIXEL.base64());
    }

    @Test
    void keyGoesAsBearerToTheGivenBasePath() throws Exception {
        server.thenStream(wire().text("ok"));
        ask(question("hello"));
        ScriptedProvider.Asked asked = server.asked().getLast();
        assertThat(asked.path()).isEqualTo("/v1/chat/completions");
        assertThat(asked.headers().getFirst("Authorization")).isEqualTo("Bearer " + KEY);
    }

    @Test
    void endpointWithoutKeyIsCalledWithoutKey() throws Exception {
        server.thenStream(wire().text("ok"));
        ModelSettings keyless =
                new ModelSettings(ModelProvider.OPENAI, "llama", wire().baseUrl(server), null);
        models =
                new ModelFactory(
                        OperatorModels.of(keyless),
                        Duration.ofSeconds(30),
                        connections,
                        connections,
                        PrivateHosts.NONE);
        ask(question("hello"));
        assertThat(server.asked().getLast().headers()).doesNotContainKey("Authorization");
    }
}
