package dev.satchel.runner.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.http.outbound.ReachableHosts;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class OpenAiModelTest extends OpenAiFormatContract {
    @Override
    ModelWireFormat wire() {
        return new ModelWireFormat.OpenAi();
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
                        ReachableHosts.NONE,
                        RetryPolicy.of(1, Duration.ZERO));
        ask(question("hello"));
        assertThat(server.asked().getLast().headers()).doesNotContainKey("Authorization");
    }

    @Test
    void modelsOfOpenAiGetAPdfAsAFile() {
        ChatHistory dialogue = new ChatHistory("Be brief.", List.of());
        dialogue.ask("what is it?", List.of(), List.of(PDF));
        for (String model : List.of("gpt-5-mini", "gpt-4o", "o3", "openai/gpt-4.1")) {
            ModelSettings settings = new ModelSettings(ModelProvider.OPENAI, model, null, KEY);
            JsonNode content =
                    new OpenAiApi(settings).request(dialogue, List.of()).at("/messages/1/content");
            assertThat(content.at("/0/text").asString()).isEqualTo("what is it? [You have it.]");
            assertThat(content.at("/1/type").asString()).isEqualTo("file");
            assertThat(content.at("/1/file/filename").asString()).isEqualTo("a.pdf");
            assertThat(content.at("/1/file/file_data").asString())
                    .isEqualTo("data:application/pdf;base64," + PDF.base64());
        }
    }
}
