package dev.satchel.server.conversation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.protocol.LineParser;
import dev.satchel.server.conversation.ContentBlock.End;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;

/** The transcript agrees with the page on the vectors in golden/transcripts.json. */
class TranscriptTest {
    private static final TypeReference<List<ContentBlock>> BLOCKS = new TypeReference<>() {};

    @TestFactory
    Stream<DynamicTest> foldsLikeTheGoldenVectors() throws IOException {
        try (InputStream in =
                TranscriptTest.class.getResourceAsStream("/golden/transcripts.json")) {
            JsonNode vectors = Json.MAPPER.readTree(Objects.requireNonNull(in));
            assertThat(vectors.size()).isGreaterThan(10);
            return vectors
                    .valueStream()
                    .map(
                            vector ->
                                    DynamicTest.dynamicTest(
                                            vector.get("name").stringValue(), () -> check(vector)))
                    .toList()
                    .stream();
        }
    }

    private static void check(JsonNode vector) throws IOException {
        Transcript transcript = new Transcript();
        for (JsonNode line : vector.get("lines").values()) {
            transcript.add(LineParser.parse(Json.MAPPER.writeValueAsBytes(line)));
        }
        List<ContentBlock> content =
                vector.has("end")
                        ? transcript.stopped(end(vector.get("end")))
                        : transcript.succeeded();
        String stored = Json.MAPPER.writerFor(BLOCKS).writeValueAsString(content);
        assertThat(Json.MAPPER.readTree(stored)).isEqualTo(vector.get("content"));
        List<ContentBlock> reloaded = Json.MAPPER.readValue(stored, BLOCKS);
        assertThat(Json.MAPPER.writerFor(BLOCKS).writeValueAsString(reloaded)).isEqualTo(stored);
    }

    private static End end(JsonNode end) {
        return Json.MAPPER.treeToValue(end, End.class);
    }
}
