package dev.satchel.runner.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Ollama by its endpoint in the format of OpenAI. */
class OllamaModelTest extends OpenAiFormatContract {
    /** Thinking is in the field {@code reasoning}, and a call comes in one piece. */
    private static final class Ollama extends ModelWireFormat.OpenAi {
        @Override
        public ModelProvider provider() {
            return ModelProvider.OLLAMA;
        }

        @Override
        public String baseUrl(ScriptedProvider server) {
            return server.url();
        }

        @Override
        public String thinking(String thought, String text) {
            return start()
                    + chunk("{\"reasoning\":" + ModelWireFormat.quote(thought) + "}", "null")
                    + content(text)
                    + end("stop");
        }

        @Override
        public String toolCall(String said, String id, String tool, String arguments) {
            return start()
                    + (said.isEmpty() ? "" : content(said))
                    + call(0, id, tool, arguments)
                    + end("tool_calls");
        }

        @Override
        public Refusal overflow() {
            return new Refusal(
                    400,
                    "{\"error\":{\"message\":\"prompt too long; exceeded max context length by 12"
                            + " tokens\",\"type\":\"invalid_request_error\",\"code\":null}}");
        }
    }

    @Override
    ModelWireFormat wire() {
        return new Ollama();
    }

    @Test
    void addressWithoutAPathGetsThatOfTheApi() throws Exception {
        server.thenStream(wire().text("ok"));
        listen();
        assertThat(server.asked().getLast().path()).isEqualTo("/v1/chat/completions");
    }
}
