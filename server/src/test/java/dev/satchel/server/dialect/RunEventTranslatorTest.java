package dev.satchel.server.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.dialect.a2a.TaskEncoder;
import dev.satchel.server.dialect.agui.AgUiEncoder;
import dev.satchel.server.dialect.aisdk.UiMessageEncoder;
import dev.satchel.server.dialect.openai.ChatCompletionEncoder;
import dev.satchel.server.dialect.openai.ResponseEncoder;
import dev.satchel.server.runlog.RunEvent;
import dev.satchel.server.runlog.RunLogLine;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** The golden file {@code dialects.json} has the lines of runs and their encoding per dialect. */
class RunEventTranslatorTest {
    private static final URI PUBLIC_URL = URI.create("https://satchel.example");

    @TestFactory
    Stream<DynamicTest> encodesForTheAiSdk() throws IOException {
        return vectors(vector -> encoded(vector, new UiMessageEncoder(PUBLIC_URL)), "aiSdk");
    }

    @TestFactory
    Stream<DynamicTest> encodesForAgUi() throws IOException {
        return vectors(vector -> encoded(vector, new AgUiEncoder("thread-1", "run-1")), "agUi");
    }

    @TestFactory
    Stream<DynamicTest> encodesForChatCompletions() throws IOException {
        return vectors(
                vector ->
                        encoded(
                                vector,
                                new ChatCompletionEncoder(
                                        PUBLIC_URL, "satchel", 1_700_000_000, true)),
                "openAiChat");
    }

    @TestFactory
    Stream<DynamicTest> encodesForResponses() throws IOException {
        return vectors(
                vector ->
                        encoded(
                                vector,
                                new ResponseEncoder(PUBLIC_URL, "r1", Map.of("id", "resp_r1"))),
                "openAiResponses");
    }

    @TestFactory
    Stream<DynamicTest> encodesForA2a() throws IOException {
        return vectors(vector -> encoded(vector, new TaskEncoder(PUBLIC_URL, "r1", "c1")), "a2a");
    }

    @FunctionalInterface
    private interface Encoding {
        JsonNode encode(JsonNode vector);
    }

    private static Stream<DynamicTest> vectors(Encoding encoding, String dialect)
            throws IOException {
        List<JsonNode> vectors = new ArrayList<>();
        try (InputStream in =
                RunEventTranslatorTest.class.getResourceAsStream("/golden/dialects.json")) {
            Json.MAPPER.readTree(in).forEach(vectors::add);
        }
        return vectors.stream()
                .map(
                        vector ->
                                DynamicTest.dynamicTest(
                                        vector.get("name").stringValue(),
                                        () ->
                                                assertThat(encoding.encode(vector))
                                                        .isEqualTo(vector.get(dialect))));
    }

    private static JsonNode encoded(JsonNode vector, EventEncoder encoder) {
        RunEventTranslator translator = new RunEventTranslator();
        ArrayNode encoded = Json.MAPPER.createArrayNode();
        long seq = 0;
        for (JsonNode line : vector.get("lines")) {
            seq++;
            RunLogLine logged =
                    new RunLogLine(seq, line.get("type").stringValue(), line.toString());
            for (StreamEvent event : translator.translate(RunEvent.parse(logged))) {
                encoder.encode(event).forEach(one -> encoded.add(Json.MAPPER.valueToTree(one)));
            }
        }
        return Json.MAPPER.readTree(encoded.toString()); // numbers with the types of the wire
    }
}
