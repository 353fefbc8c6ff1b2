package dev.satchel.runner.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.runner.model.ModelException.Code;
import dev.satchel.tools.ToolResult;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Gemini by its endpoint in the format of OpenAI. */
class GeminiModelTest extends OpenAiFormatContract {
    /** Thoughts are text in tags; every call has the index 0 and a signature; errors are a list. */
    private static final class Gemini extends ModelWireFormat.OpenAi {
        @Override
        public ModelProvider provider() {
            return ModelProvider.GEMINI;
        }

        @Override
        public String model() {
            return "gemini-2.5-pro";
        }

        @Override
        public String thinking(String thought, String text) {
            String piece =
                    "{\"content\":%s,\"extra_content\":{\"google\":{\"thought\":true}}}"
                            .formatted(ModelWireFormat.quote("<thought>" + thought));
            return start() + chunk(piece, "null") + content("</thought>" + text) + end("stop");
        }

        @Override
        public String twoCalls(String firstId, String secondId, String tool, String arguments) {
            return start()
                    + call(0, firstId, tool, arguments)
                    + call(0, secondId, tool, arguments)
                    + end("stop");
        }

        @Override
        public Refusal overflow() {
            return new Refusal(
                    400,
                    """
                    [{"error":{"code":400,"status":"INVALID_ARGUMENT","message":"The input token \
                    count (1200000) exceeds the maximum number of tokens allowed (1048576)."}}]""");
        }
    }

    @Override
    ModelWireFormat wire() {
        return new Gemini();
    }

    @Test
    void thoughtsAreAskedForWithTheKeyAsBearer() throws Exception {
        server.thenStream(wire().text("ok"));
        listen();
        assertThat(server.asked().getLast().headers().getFirst("Authorization"))
                .isEqualTo("Bearer " + KEY);
        assertThat(lastBody().at("/extra_body/google/thinking_config/include_thoughts").asBoolean())
                .isTrue();
    }

    @Test
    void signatureOfACallIsSentBack() throws Exception {
        String signature = "{\"google\":{\"thought_signature\":\"c2ln\"}}";
        server.thenStream(
                wire().toolCall("", "call_1", "sh", "{}")
                        .replace(
                                "\"type\":\"function\"",
                                "\"type\":\"function\",\"extra_content\":" + signature));
        server.thenStream(wire().text("ok"));
        ChatHistory history = question("hello");
        ModelReply reply = listen(history);
        history.add(reply);
        history.add(reply.calls().getFirst(), ToolResult.success("done"));
        listen(history);
        assertThat(lastBody().at("/messages/2/tool_calls/0/extra_content")).hasToString(signature);
    }

    @Test
    void waitInTheBodyOfAnErrorIsHonoured() throws Exception {
        server.thenRefuse(
                429,
                """
                [{"error":{"code":429,"message":"quota exceeded","details":[{"@type":\
                "type.googleapis.com/google.rpc.RetryInfo","retryDelay":"17s"}]}}]""");
        server.thenStream(wire().text("ok"));
        listen();
        assertThat(waits).containsExactly(Duration.ofSeconds(17));
    }

    @Test
    void safetyFilterIsARefusal() {
        server.thenStream(wire().text().replace("\"stop\"", "\"content_filter\""));
        ModelException failure = failure();
        assertThat(failure.code()).isEqualTo(Code.MODEL_REFUSED);
        assertThat(failure.message()).contains("Gemini", "content filter");
    }

    @Override
    void pdfIsSent(JsonNode messages) {
        JsonNode part = messages.at("/1/content/2");
        assertThat(part.path("type").asString()).isEqualTo("image_url");
        assertThat(part.at("/image_url/url").asString())
                .isEqualTo("data:application/pdf;base64," + PDF.base64());
    }
}
