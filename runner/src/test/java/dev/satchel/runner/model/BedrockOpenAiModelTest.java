package dev.satchel.runner.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Other models at Bedrock, by its endpoint in the format of OpenAI. */
class BedrockOpenAiModelTest extends OpenAiFormatContract {
    private static final class Bedrock extends ModelWireFormat.OpenAi {
        @Override
        public ModelProvider provider() {
            return ModelProvider.BEDROCK;
        }

        @Override
        public String model() {
            return "openai.gpt-oss-120b-1:0";
        }

        @Override
        public String baseUrl(ScriptedProvider server) {
            return server.url();
        }

        /** The models think in tags. */
        @Override
        public String thinking(String thought, String text) {
            return start()
                    + content("<thin")
                    + content("king>" + thought + "</thi")
                    + content("nking>\n" + text)
                    + end("stop");
        }
    }

    @Override
    ModelWireFormat wire() {
        return new Bedrock();
    }

    @Test
    void keyGoesAsBearerToThePathOfOpenAi() throws Exception {
        server.thenStream(wire().text("ok"));
        listen();
        ScriptedProvider.Asked asked = server.asked().getLast();
        assertThat(asked.path()).isEqualTo("/openai/v1/chat/completions");
        assertThat(asked.headers().getFirst("Authorization")).isEqualTo("Bearer " + KEY);
    }
}
