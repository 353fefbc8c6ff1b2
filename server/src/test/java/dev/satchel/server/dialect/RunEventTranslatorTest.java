package dev.satchel.server.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.dialect.agui.AgUiEncoder;
import dev.satchel.server.dialect.aisdk.UiMessageEncoder;
import dev.satchel.server.run.RunLogLine;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** Lines of a run and what they come to in each dialect, held by {@code golden/dialects.json}. */
class RunEventTranslatorTest {
    @TestFactory
    Stream<DynamicTest> theAiSdkIsToldAsWritten() throws IOException {
        return vectors(vector -> told(vector, new UiMessageEncoder()), "aiSdk");
    }

    @TestFactory
    Stream<DynamicTest> agUiIsToldAsWritten() throws IOException {
        return vectors(
                vector -> told(vector, new AgUiEncoder("thread-1", "run-1", List.of())), "agUi");
    }

    @FunctionalInterface
    private interface Telling {
        JsonNode tell(JsonNode vector);
    }

    private static Stream<DynamicTest> vectors(Telling telling, String dialect) throws IOException {
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
                                                assertThat(telling.tell(vector))
                                                        .isEqualTo(vector.get(dialect))));
    }

    private static JsonNode told(JsonNode vector, EventEncoder teller) {
        RunEventTranslator story = new RunEventTranslator(teller);
        ArrayNode told = Json.MAPPER.createArrayNode();
        long seq = 0;
        for (JsonNode line : vector.get("lines")) {
            seq++;
            RunLogLine logged =
                    new RunLogLine(seq, line.get("type").stringValue(), line.toString());
            story.tell(logged).forEach(one -> told.add(Json.MAPPER.valueToTree(one)));
        }
        return Json.MAPPER.readTree(told.toString()); // numbers as they come over the wire
    }
}
