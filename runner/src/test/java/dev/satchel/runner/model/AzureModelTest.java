package dev.satchel.runner.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.runner.model.ModelException.Code;
import org.junit.jupiter.api.Test;

/** Azure OpenAI by its v1 API. */
class AzureModelTest extends OpenAiFormatContract {
    /** The first chunk of a stream has no choices, but the results of the filter. */
    private static final class Azure extends ModelWireFormat.OpenAi {
        private static final String FILTER_RESULTS =
                """
                data: {"id":"","object":"","created":0,"model":"","choices":[],\
                "prompt_filter_results":[{"prompt_index":0,"content_filter_results":{}}]}

                """;

        @Override
        public ModelProvider provider() {
            return ModelProvider.AZURE;
        }

        @Override
        public String baseUrl(ScriptedProvider server) {
            return server.url();
        }

        @Override
        public String text(String... pieces) {
            return FILTER_RESULTS + super.text(pieces);
        }

        @Override
        public String unfinished(String text) {
            return FILTER_RESULTS + super.unfinished(text);
        }
    }

    @Override
    ModelWireFormat wire() {
        return new Azure();
    }

    @Test
    void keyGoesInItsOwnHeaderToThePathOfTheV1Api() throws Exception {
        server.thenStream(wire().text("ok"));
        listen();
        ScriptedProvider.Asked asked = server.asked().getLast();
        assertThat(asked.path()).isEqualTo("/openai/v1/chat/completions");
        assertThat(asked.headers().getFirst("api-key")).isEqualTo(KEY);
        assertThat(asked.headers()).doesNotContainKey("Authorization");
    }

    @Test
    void filteredPromptIsARefusalWithTheWordsOfAzure() {
        server.thenRefuse(
                400,
                """
                {"error":{"message":"The response was filtered due to the prompt triggering \
                Azure OpenAI's content management policy.","code":"content_filter","status":400,\
                "innererror":{"code":"ResponsibleAIPolicyViolation"}}}""");
        ModelException failure = failure();
        assertThat(failure.code()).isEqualTo(Code.MODEL_REFUSED);
        assertThat(failure.message()).contains("content management policy");
    }

    @Test
    void filteredAnswerNamesTheCategory() {
        server.thenStream(
                wire().text("I wi")
                        .replace(
                                "\"finish_reason\":\"stop\"",
                                "\"finish_reason\":\"content_filter\",\"content_filter_results\":"
                                        + "{\"violence\":{\"filtered\":true,\"severity\":\"high\"},"
                                        + "\"hate\":{\"filtered\":false}}"));
        ModelException failure = failure();
        assertThat(failure.code()).isEqualTo(Code.MODEL_REFUSED);
        assertThat(failure.message()).contains("violence").doesNotContain("hate");
    }
}
